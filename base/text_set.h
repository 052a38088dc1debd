/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of texts.
 */
#pragma once

#include "base/hash_table.h"

#include <stdbool.h>

/* Of zeroes: empty. */
struct text_set {
    struct hash_table texts;
};

/* True: it was there already. */
bool text_set_add(struct text_set *set, const char *text);
bool text_set_has(const struct text_set *set, const char *text);
void text_set_dispose(struct text_set *set);
