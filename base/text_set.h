/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of texts.
 */
#ifndef BASE_TEXT_SET_H
#define BASE_TEXT_SET_H

#include <stdbool.h>

struct text_in_set;

/* Of zeroes: empty. */
struct text_set {
    struct text_in_set *texts;
};

/* Borrows the text. True: it was there already. */
bool text_set_add(struct text_set *set, const char *text);
bool text_set_has(const struct text_set *set, const char *text);
void text_set_dispose(struct text_set *set);

#endif
