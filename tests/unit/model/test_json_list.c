/* SPDX-License-Identifier: Apache-2.0
 *
 * A list that is written element by element is in the file as one that was in memory as a whole.
 */
#include "base/file.h"
#include "base/json.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/mpiskel_json_list_XXXXXX";

static int make_directory(void **state) {
    (void)state;
    return mkdtemp(directory) != NULL ? 0 : -1;
}

static int remove_made(void **state) {
    struct error error = {0};
    (void)state;
    return directory_remove(directory, &error);
}

static json_t *next(void *context, size_t index) {
    return json_incref(json_array_get(context, index));
}

static char *read_text(const char *path) {
    struct error error = {0};
    char *text = NULL;
    assert_int_equal(file_read(&text, NULL, path, &error), 0);
    return text;
}

static void expect_same(json_t *list) {
    struct arena arena = {0};
    struct error error = {0};
    const char *whole = path_join(&arena, directory, "whole"),
               *listed = path_join(&arena, directory, "listed");
    json_t *root = json_pack("{s:s, s:O, s:{s:[i,i], s:[], s:{}}, s:n}", "first", "a\nb \"c\"",
                             "list", list, "last", "pair", 1, 2, "none", "nothing", "null");
    json_t *empty = json_copy(root);
    json_object_set_new(empty, "list", json_array());
    assert_int_equal(json_write(root, whole, &error), 0);
    assert_int_equal(json_write_list(empty, "list", next, list, listed, &error), 0);
    char *expected = read_text(whole), *found = read_text(listed);
    assert_string_equal(found, expected);
    free(expected);
    free(found);
    json_decref(root);
    json_decref(empty);
    json_decref(list);
    arena_dispose(&arena);
}

static void no_element(void **state) {
    (void)state;
    expect_same(json_array());
}

static void one_element(void **state) {
    (void)state;
    expect_same(json_pack("[f]", 0.5));
}

static void nested_elements(void **state) {
    (void)state;
    expect_same(json_pack("[{s:[i, {s:s}], s:b}, [], s, [[i], [i, i]]]", "a", 1, "b",
                          "two\nlines\\n", "c", 1, "text", 1, 2, 3));
}

static void a_place_that_is_not_there(void **state) {
    struct arena arena = {0};
    struct error error = {0};
    json_t *root = json_pack("{s:[]}", "list");
    (void)state;
    assert_int_equal(json_write_list(root, "list", next, NULL,
                                     path_join(&arena, directory, "none/file"), &error),
                     -1);
    assert_non_null(strstr(error.text, "none/file"));
    json_decref(root);
    arena_dispose(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_element),
        cmocka_unit_test(one_element),
        cmocka_unit_test(nested_elements),
        cmocka_unit_test(a_place_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_made);
}
