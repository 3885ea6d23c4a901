/* NEON with the dot product. */
#include "dot_neon.h"

#include "tile_neon.h"

#include "tiles_neon.h"

UZU_K_DEFINE(dotprod, multiply_int8)
