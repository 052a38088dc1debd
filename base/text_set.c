/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text_set.h"

bool text_set_has(const struct text_set *set, const char *text) {
    return hash_table_find_text(&set->texts, text) != NULL;
}

bool text_set_add(struct text_set *set, const char *text) {
    bool *is_there = hash_table_add_text(&set->texts, text, sizeof *is_there);
    bool was_there = *is_there;
    *is_there = true;
    return was_there;
}

void text_set_dispose(struct text_set *set) {
    hash_table_dispose(&set->texts);
}
