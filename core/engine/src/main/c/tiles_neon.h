/* The tiles of tile_neon.h, and the products made of them. */
enum { MOST_ROWS = TILE_ROWS };

#define TILES(type) TILE(type, 1) TILE(type, 2) TILE(type, 3) TILE(type, 4)
TILES(Q4_0) TILES(Q4_1) TILES(Q5_0) TILES(Q5_1) TILES(Q8_0) TILES(Q2_K) TILES(Q3_K) TILES(Q4_K) TILES(Q5_K) TILES(Q6_K)

#define ENTRY(type) [type] = {tile_##type##_1, tile_##type##_2, tile_##type##_3, tile_##type##_4}
static const tile_product tiles[][MOST_ROWS] = {ENTRY(Q4_0), ENTRY(Q4_1), ENTRY(Q5_0), ENTRY(Q5_1), ENTRY(Q8_0),
                                                ENTRY(Q2_K), ENTRY(Q3_K), ENTRY(Q4_K), ENTRY(Q5_K), ENTRY(Q6_K)};
INLINE int most_rows(int type) { return (void)type, MOST_ROWS; }
INLINE tile_product tile_of(int type, int rows) { return tiles[type][rows - 1]; }

#include "products.h"
