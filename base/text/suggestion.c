/* SPDX-License-Identifier: Apache-2.0
 *
 * Distance of words: the least number of letters to insert, delete, replace, or swap with the next
 * one (optimal string alignment: F. J. Damerau, A technique for computer detection and correction
 * of spelling errors, CACM 7(3), 1964). A name is near enough if a third of its letters, and at
 * least one, is as much as differs: further away a guess is wrong more often than right. Of equally
 * near ones it is the one that begins alike for longer, since slips are rarely at the beginning.
 */
#include "base/text/suggestion.h"

#include <stdbool.h>
#include <string.h>

#define LENGTH_MOST 40 /* longer words are nobody's slip */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t distance_of(const char *word, const char *name) {
    size_t rows[3][LENGTH_MOST + 1], length = strlen(name);
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t k = 0; k <= length; k++)
        row[k] = k;
    for (size_t i = 1; word[i - 1] != '\0'; i++) {
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
        row[0] = i;
        for (size_t k = 1; k <= length; k++) {
            row[k] =
                least(least(last[k], row[k - 1]) + 1, last[k - 1] + (word[i - 1] != name[k - 1]));
            if (i > 1 && k > 1 && word[i - 1] == name[k - 2] && word[i - 2] == name[k - 1])
                row[k] = least(row[k], before[k - 2] + 1);
        }
    }
    return row[length];
}

static size_t common_length(const char *word, const char *name) {
    size_t length = 0;
    while (word[length] != '\0' && word[length] == name[length])
        length++;
    return length;
}

static bool is_nearer(const struct suggestion *suggestion, size_t distance, size_t common) {
    if (suggestion->name == NULL || distance != suggestion->distance)
        return suggestion->name == NULL || distance < suggestion->distance;
    return common > suggestion->common;
}

void suggestion_offer(struct suggestion *suggestion, const char *name) {
    size_t length = strlen(name);
    if (length > LENGTH_MOST || strlen(suggestion->word) > LENGTH_MOST)
        return;
    size_t distance = distance_of(suggestion->word, name), most = length < 6 ? 1 : length / 3;
    size_t common = common_length(suggestion->word, name);
    if (distance > most || !is_nearer(suggestion, distance, common))
        return;
    suggestion->name = name;
    suggestion->distance = distance;
    suggestion->common = common;
}
