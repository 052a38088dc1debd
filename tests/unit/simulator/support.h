/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of simulator/ share: a temporary directory with files in it, an application
 * compiled with smpicc, and a few assertions.
 */
#pragma once

#include "base/error.h"
#include "tests/unit/unit.h"

/* cmocka fixtures: a new directory, removed afterwards with all that is in it. */
int directory_setup(void **state);
int directory_teardown(void **state);

/* The path of a file in the directory; valid until the end of the test. */
const char *test_path(const char *name);

void write_text(const char *path, const char *text);
char *read_text(const char *path); /* the caller's */

/* Compiles application.c with smpicc; `definition` is a -D option or NULL. */
void compile_application(const char *program, const char *definition);

#define assert_contains(text, part) assert_contains_at((text), (part), __FILE__, __LINE__)
void assert_contains_at(const char *text, const char *part, const char *file, int line);

/* Fails with the error's text if there is one. */
#define assert_fine(result, error) assert_fine_at((result), (error), __FILE__, __LINE__)
void assert_fine_at(int result, const struct error *error, const char *file, int line);
