/* SPDX-License-Identifier: Apache-2.0
 *
 * Each text once: equal texts have the same pointer, so that comparing and hashing them are those
 * of pointers.
 */
#pragma once

#include "base/hash_table.h"

#include <stddef.h>

/* Of zeroes: empty. */
struct texts {
    struct hash_table table;
};

/* The text of the table that equals these bytes, with a zero behind them; it lives as long as the
 * table. The first zero among them ends the text. */
const char *texts_intern(struct texts *texts, const char *text, size_t length);

void texts_dispose(struct texts *texts);
