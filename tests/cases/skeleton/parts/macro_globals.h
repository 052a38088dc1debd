/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables that one unit defines and all others declare; a macro makes the difference. */
#ifdef OWNS_GLOBALS
#define GLOBAL
#else
#define GLOBAL extern
#endif

GLOBAL double field[64];
GLOBAL int length, steps;
GLOBAL double total, *spare;

typedef struct {
    double x, y;
} point;
GLOBAL point corner;
GLOBAL point *corners;

void advance(int step);
