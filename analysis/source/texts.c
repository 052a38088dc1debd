/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table whose keys are the texts (base/hash_table.h: keys do not move).
 */
#include "analysis/source/texts.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_BYTES 256 /* longer texts than most; they take a copy on the heap */

const char *texts_intern(struct texts *texts, const char *text, size_t length) {
    char shorter[SHORT_BYTES];
    length = strnlen(text, length);
    char *copy = length < sizeof shorter ? shorter : xmalloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    const char *result = hash_table_key(hash_table_add_text(&texts->table, copy, 1));
    if (copy != shorter)
        free(copy);
    return result;
}

void texts_dispose(struct texts *texts) {
    hash_table_dispose(&texts->table);
}
