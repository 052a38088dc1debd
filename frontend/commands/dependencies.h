/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether what was made from a set of files would come out the same now: a fingerprint over their
 * contents and over which of the names that they include are found in which directory, so that a
 * header that appears in front of another one is noticed.
 */
#pragma once

#include "base/arena.h"
#include "base/file.h"
#include "base/hash_table.h"

#include <stdbool.h>

struct dependencies {
    struct arena arena;
    struct hash_table files, presence; /* by path */
    double begin_s; /* files that changed since then may have been read before or after */
};

void dependencies_init(struct dependencies *out);
void dependencies_dispose(struct dependencies *dependencies);

/* False: it cannot be told (a file is gone, includes what a macro names, has changed meanwhile, or
 * its meaning depends on something else, such as the time of day). `directories` are those that
 * were searched; the files' own are added. `own` is a directory of this run's own files, which are
 * known by what follows it and may be as new as they like; NULL: none. */
bool dependencies_fingerprint(unsigned long long *out, struct dependencies *dependencies,
                              const path_list *files, const path_list *directories,
                              const char *own);
