/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of a call's text; see decided_by_time.h. That a message comes from anyone is its source's
 * word `any`. A tag that may be any decides nothing: messages of one source do not overtake.
 */
#include "simulator/compare/decided_by_time.h"

#include "base/arena.h"
#include "base/str.h"
#include "mpi/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first word of a call's text is its function. */
static bool is_call(const char *text, enum mpi_fact fact) {
    char name[64];
    int length = (int)strcspn(text, " ");
    return length < (int)sizeof name && snprintf(name, sizeof name, "%.*s", length, text) > 0 &&
           mpi_function_is(name, fact);
}

/* `flag=0` as a word; what was asked for may hold anything. */
bool is_empty_poll(const char *text) {
    if (!is_call(text, MPI_IS_POLL))
        return false;
    for (const char *word = text; (word = strchr(word, ' ')) != NULL; word++)
        if (strcspn(word + 1, " ") == strlen("flag=0") && text_has_prefix(word + 1, "flag=0"))
            return true;
    return strstr(text, " indices=none") != NULL;
}

bool brings_what_time_decides(const char *text) {
    return is_call(text, MPI_IS_RACE);
}

static bool is_from_anyone(const char *text) {
    return strstr(text, " peer=any") != NULL || strstr(text, " source=any") != NULL;
}

static void take_out(char *text, const char *word) {
    for (char *at = text; (at = strstr(at, word)) != NULL;) {
        size_t length = strlen(word) + strcspn(at + strlen(word), " ");
        memmove(at, at + length, strlen(at + length) + 1);
    }
}

void leave_out_what_time_decides(char *text) {
    take_out(text, " index=");
    take_out(text, " indices=");
    if (!is_from_anyone(text))
        return;
    take_out(text, " from=");
    take_out(text, " with=");
    take_out(text, " received=");
}

bool asks_for_hosts(const char *left, const char *right) {
    static const char *const begin = "MPI_Comm_split_type ";
    const char *made = strstr(left, " newcomm=");
    return text_has_prefix(left, begin) && made != NULL &&
           strncmp(left, right, (size_t)(made - left) + strlen(" newcomm=")) == 0;
}

bool is_same_but_for_time(const char *left, const char *right) {
    char *copies[] = {xstrdup(left), xstrdup(right)};
    leave_out_what_time_decides(copies[0]);
    leave_out_what_time_decides(copies[1]);
    bool is_same = strcmp(copies[0], copies[1]) == 0;
    free(copies[0]);
    free(copies[1]);
    return is_same;
}
