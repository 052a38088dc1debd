/* SPDX-License-Identifier: Apache-2.0
 *
 * What unit tests share: cmocka behind the headers that it needs, tests that are found by being
 * there, a temporary directory with files in it, and a few assertions.
 */
#pragma once

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A test, whose name is its claim, and which may ask for `state`. The library has main(), which
 * runs the tests of the file in their order; the option -v sets unit_is_verbose. */
#define TEST(name) TEST_WITH(name, NULL, NULL)

/* With what goes before and behind it; NULL: nothing does. */
#define TEST_WITH(name, setup, teardown)                                                           \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void register_##name(void) {                               \
        unit_add(__LINE__, (struct CMUnitTest){#name, name, setup, teardown, NULL});               \
    }                                                                                              \
    static void name(void **state)

/* What goes before and behind all tests of the file. */
#define FIXTURE(setup, teardown)                                                                   \
    __attribute__((constructor)) static void register_fixture(void) {                              \
        unit_set_fixture(setup, teardown);                                                         \
    }

void unit_add(int line, struct CMUnitTest test);
void unit_set_fixture(CMFixtureFunction setup, CMFixtureFunction teardown);
extern bool unit_is_verbose;

/* Fixtures: a new directory, removed afterwards with all that is in it. */
int directory_setup(void **state);
int directory_teardown(void **state);

/* The path of a file in the directory; valid until the end of the test. */
const char *test_path(const char *name);

/* The file's directory is made if it is not there. */
void write_text(const char *path, const char *text);
void write_bytes(const char *path, const char *bytes, size_t length);
char *read_text(const char *path); /* the caller's */

#define assert_contains(text, part) assert_contains_at((text), (part), __FILE__, __LINE__)
void assert_contains_at(const char *text, const char *part, const char *file, int line);

/* Off by that part of what is wanted at most. */
#define assert_within(found, wanted, relative)                                                     \
    assert_within_at((found), (wanted), (relative), __FILE__, __LINE__)
void assert_within_at(double found, double wanted, double relative, const char *file, int line);

/* Fails with the error's text if there is one. */
#define assert_fine(result, error) assert_fine_at((result), (error), __FILE__, __LINE__)
void assert_fine_at(int result, const struct error *error, const char *file, int line);
