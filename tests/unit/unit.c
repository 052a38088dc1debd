/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit_test {
    int line;
    struct CMUnitTest of;
};

static VEC(struct unit_test) tests;
static CMFixtureFunction group_setup, group_teardown;
bool unit_is_verbose;

static struct arena arena;
static const char *directory;

/* ---- Tests ---- */

void unit_add(int line, struct CMUnitTest test) {
    vec_push(&tests, (struct unit_test){line, test});
}

void unit_set_fixture(CMFixtureFunction setup, CMFixtureFunction teardown) {
    group_setup = setup;
    group_teardown = teardown;
}

/* Compilers put constructors in any order. */
static int by_line(const void *a, const void *b) {
    return ((const struct unit_test *)a)->line - ((const struct unit_test *)b)->line;
}

int main(int argc, char **argv) {
    struct CMUnitTest *list = xmalloc((tests.count + 1) * sizeof *list);
    unit_is_verbose = argc == 2 && strcmp(argv[1], "-v") == 0;
    if (tests.count > 0)
        qsort(tests.items, tests.count, sizeof *tests.items, by_line);
    for (size_t i = 0; i < tests.count; i++)
        list[i] = tests.items[i].of;
    int failed = _cmocka_run_group_tests(argv[0], list, tests.count, group_setup, group_teardown);
    failed += tests.count == 0; /* a file without a test could not fail */
    free(list);
    vec_dispose(&tests);
    return failed;
}

/* ---- Files ---- */

int directory_setup(void **state) {
    struct error error = {0};
    arena_init(&arena);
    directory = directory_temporary(&arena, "mpiskel-test", &error);
    assert_fine(directory != NULL ? 0 : -1, &error);
    return 0;
}

int directory_teardown(void **state) {
    struct error error = {0};
    assert_fine(directory_remove(directory, &error), &error);
    arena_dispose(&arena);
    return 0;
}

const char *test_path(const char *name) {
    return path_join(&arena, directory, name);
}

/* In place, so that files that are open change. */
void write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *path, const char *text) {
    struct error error = {0};
    assert_fine(directory_make(path_directory(&arena, path), &error), &error);
    write_bytes(path, text, strlen(text));
}

char *read_text(const char *path) {
    struct error error = {0};
    char *text = NULL;
    assert_fine(file_read(&text, NULL, path, &error), &error);
    return text;
}

/* ---- Assertions ---- */

void assert_contains_at(const char *text, const char *part, const char *file, int line) {
    if (strstr(text, part) != NULL)
        return;
    print_error("expected '%s' in:\n%s\n", part, text);
    _fail(file, line);
}

void assert_within_at(double found, double wanted, double relative, const char *file, int line) {
    if (fabs(found - wanted) <= relative * fabs(wanted))
        return;
    print_error("%.12g instead of %.12g\n", found, wanted);
    _fail(file, line);
}

void assert_fine_at(int result, const struct error *error, const char *file, int line) {
    if (result == 0)
        return;
    print_error("%s\n", error->text);
    _fail(file, line);
}
