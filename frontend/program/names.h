/* SPDX-License-Identifier: Apache-2.0
 *
 * A table from text to pointers, for keys of declarations and paths of files.
 */
#pragma once

struct name_table;

struct name_table *names_new(void);
void names_free(struct name_table *names);

/* NULL if it is not there. */
void *names_get(const struct name_table *names, const char *kind, const char *key);
void names_put(struct name_table *names, const char *kind, const char *key, void *value);
