/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of pointers have 1,300,000 places together: members of the record whose sets are large are not told apart, those of
 * another record are, whose sets have less than a ten-thousandth.
 *
 * with: many_pointers.h
 * note: members of 1 object are not told apart
 * kept: *all.steering = 3 + argc
 * kept: *all.many += i * i
 * gone: *few.many += i * 3
 */
#define LOADS HUNDRED(LOAD, f) HUNDRED(LOAD, g) HUNDRED(LOAD, h) HUNDRED(LOAD, i) HUNDRED(LOAD, j) HUNDRED(LOAD, k) HUNDRED(LOAD, l) HUNDRED(LOAD, m) HUNDRED(LOAD, n) HUNDRED(LOAD, o) HUNDRED(LOAD, p) HUNDRED(LOAD, q) HUNDRED(LOAD, r) HUNDRED(LOAD, s) HUNDRED(LOAD, t) HUNDRED(LOAD, u) HUNDRED(LOAD, v) HUNDRED(LOAD, w) HUNDRED(LOAD, x) HUNDRED(LOAD, y) HUNDRED(LOAD, z) HUNDRED(LOAD, aa) HUNDRED(LOAD, zz) HUNDRED(LOAD, zz) HUNDRED(LOAD, zz) HUNDRED(LOAD, zz)
#include "many_pointers.h"
