/*
 * uzu.h, whose functions are those of a libuzu that is found when the first one is called: a package that programs depend
 * on by version may tell the linker of no folder.
 */
#ifndef UZU_SWIFT_H
#define UZU_SWIFT_H

/* A program that has the functions mustn't give its own to the library, which calls some of them itself. */
#define UZU_API __attribute__((visibility("hidden")))

#include "../../../../core/bridge/src/main/c/uzu.h"

#endif
