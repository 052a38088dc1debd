/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of pointers have 700,000 places together: members of a record are told apart.
 *
 * with: many_pointers.h
 * kept: *all.steering = 3 + argc
 * gone: *all.many += i * i
 * gone: *few.many += i * 3
 */
#define LOADS HUNDRED(LOAD, f) HUNDRED(LOAD, g) HUNDRED(LOAD, h) HUNDRED(LOAD, i) HUNDRED(LOAD, j) HUNDRED(LOAD, k) HUNDRED(LOAD, l) HUNDRED(LOAD, m) HUNDRED(LOAD, n) HUNDRED(LOAD, o) HUNDRED(LOAD, p) HUNDRED(LOAD, q) HUNDRED(LOAD, r) HUNDRED(LOAD, s)
#include "many_pointers.h"
