/* SPDX-License-Identifier: Apache-2.0
 *
 * "did you mean ...": the name that a word was probably meant to be.
 */
#pragma once

#include <stddef.h>

/* Collects the nearest name; zeroed but for the word, which is borrowed, as names are. */
struct suggestion {
    const char *word;
    const char *name;        /* the nearest one so far; NULL: none is near enough */
    size_t distance, common; /* letters that differ; with which both begin */
};

/* Offers a name. */
void suggestion_offer(struct suggestion *suggestion, const char *name);
