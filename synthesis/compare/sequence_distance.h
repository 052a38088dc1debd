/* SPDX-License-Identifier: Apache-2.0
 *
 * How far two sequences are from each other: the least number of deletions and insertions (E. W.
 * Myers, An O(ND) Difference Algorithm and Its Variations, Algorithmica 1, 1986).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* At most `most`: what is farther apart is as far as that. Takes (length + distance) * distance. */
size_t sequence_distance(const uint32_t *one, size_t one_count, const uint32_t *other,
                         size_t other_count, size_t most);
