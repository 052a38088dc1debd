/* SPDX-License-Identifier: Apache-2.0
 *
 * See text_set.h.
 */
#include "base/text_set.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct text_in_set {
    const char *text;
    UT_hash_handle hh;
};

bool text_set_has(const struct text_set *set, const char *text) {
    struct text_in_set *known;
    HASH_FIND_STR(set->texts, text, known);
    return known != NULL;
}

bool text_set_add(struct text_set *set, const char *text) {
    if (text_set_has(set, text))
        return true;
    struct text_in_set *added = xmalloc(sizeof *added);
    added->text = text;
    HASH_ADD_KEYPTR(hh, set->texts, added->text, strlen(added->text), added);
    return false;
}

void text_set_dispose(struct text_set *set) {
    struct text_in_set *text, *next;
    HASH_ITER(hh, set->texts, text, next) {
        HASH_DEL(set->texts, text);
        free(text);
    }
}
