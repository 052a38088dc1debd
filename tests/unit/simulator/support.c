/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/process.h"

#include <stdio.h>
#include <string.h>

static struct arena arena;
static char *directory;

int directory_setup(void **state) {
    struct error error = {0};
    arena_init(&arena);
    directory = directory_temporary(&arena, "test-simulator", &error);
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

void write_text(const char *path, const char *text) {
    struct error error = {0};
    assert_fine(directory_make(path_directory(&arena, path), &error), &error);
    assert_fine(file_write(path, text, strlen(text), &error), &error);
}

char *read_text(const char *path) {
    struct error error = {0};
    char *text = NULL;
    assert_fine(file_read(&text, NULL, path, &error), &error);
    return text;
}

void compile_application(const char *program, const char *definition) {
    const char *const argv[] = {"smpicc",   "-O1", "-o", program, SOURCE_DIRECTORY "/application.c",
                                definition, NULL};
    struct process_result result;
    struct error error = {0};
    assert_fine(process_run(&result, argv, NULL, &error), &error);
    assert_int_equal(result.exit_code, 0);
}

void assert_contains_at(const char *text, const char *part, const char *file, int line) {
    if (strstr(text, part) != NULL)
        return;
    print_error("expected '%s' in:\n%s\n", part, text);
    _fail(file, line);
}

void assert_fine_at(int result, const struct error *error, const char *file, int line) {
    if (result == 0)
        return;
    print_error("%s\n", error->text);
    _fail(file, line);
}
