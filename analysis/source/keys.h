/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers for keys: a hash table with open addressing (linear probing; what stands behind a removed
 * entry moves up, D. E. Knuth, The Art of Computer Programming 3, 6.4, algorithm R). A key is an
 * int or an interned text; its number is from 0 on, and free again once the key is removed.
 */
#pragma once

#include "analysis/source/event_source.h"
#include "base/vec.h"

#include <stdint.h>

/* Of zeroes: empty. */
struct events_keys {
    int32_t *slots; /* numbers, or -1 */
    size_t slot_count, used;
    VEC(union event_value) by_number;
    VEC(bool) is_used; /* by number */
    VEC(int32_t) free_numbers;
};

/* -1: there is no such key. */
long events_keys_find(const struct events_keys *keys, union event_value key);
/* That of a new one is the first free one; -1: there are too many. */
long events_keys_add(struct events_keys *keys, union event_value key);
/* The number stays taken until events_keys_release. */
void events_keys_remove(struct events_keys *keys, long number);
void events_keys_release(struct events_keys *keys, long number);
void events_keys_clear(struct events_keys *keys);
void events_keys_dispose(struct events_keys *keys);
