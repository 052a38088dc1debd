/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON through jansson. This is the one place that includes its header; json_t is the value type.
 */
#pragma once

#include "base/error.h"

#include <jansson.h>

/* Reads a file; *out is the caller's (json_decref). Errors carry path:line:col. */
int json_read(json_t **out, const char *path, struct error *error);

/* Writes beside the target and renames. */
int json_write(const json_t *value, const char *path, struct error *error);

/* The same of an object whose last list is too long to be in memory as a whole: the elements of
 * `member`, an empty list in `root`, are made one after the other, each until it is written. NULL
 * ends them. */
typedef json_t *json_next_element(void *context, size_t index);
int json_write_list(const json_t *root, const char *member, json_next_element *next, void *context,
                    const char *path, struct error *error);

/* error_set with path:line:col of element `index` of the array that is member `member` of the
 * outermost object (of the file's beginning if it is not there), "error: " and `what`. The file has
 * been read as JSON before. */
int json_fail_at(struct error *error, const char *path, const char *member, size_t index,
                 const char *what);

/* Reads each element of the list that is member `member` of `root` by `read`, which gives -1 for
 * one that is wrong. -1: so is one, or there is no list; `repair` says what to do about the file.
 */
int json_each(const json_t *root, const char *member,
              int (*read)(void *context, const json_t *element), void *context, const char *path,
              const char *repair, struct error *error);

/* The member of an object, of the given type, or NULL; never an error. */
const char *json_get_text(const json_t *object, const char *key);
double json_get_number(const json_t *object, const char *key, double fallback);
long long json_get_integer(const json_t *object, const char *key, long long fallback);

/* A string; of text that is not UTF-8 (a file's name) all bytes beyond ASCII become '?'. */
json_t *json_any_text(const char *text);

/* Lists of numbers. */
json_t *json_reals(const double *numbers, size_t count);
json_t *json_integers(const int *numbers, size_t count);
