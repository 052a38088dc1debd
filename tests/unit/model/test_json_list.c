/* SPDX-License-Identifier: Apache-2.0
 *
 * A list that is written element by element is in the file as one that was in memory as a whole.
 */
#include "base/json.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static json_t *next(void *context, size_t index) {
    return json_incref(json_array_get(context, index));
}

static void expect_same(json_t *list) {
    struct error error = {0};
    const char *whole = test_path("whole"), *listed = test_path("listed");
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
}

TEST(no_element) {
    expect_same(json_array());
}

TEST(one_element) {
    expect_same(json_pack("[f]", 0.5));
}

TEST(nested_elements) {
    expect_same(json_pack("[{s:[i, {s:s}], s:b}, [], s, [[i], [i, i]]]", "a", 1, "b",
                          "two\nlines\\n", "c", 1, "text", 1, 2, 3));
}

TEST(a_place_that_is_not_there) {
    struct error error = {0};
    json_t *root = json_pack("{s:[]}", "list");
    assert_int_equal(json_write_list(root, "list", next, NULL, test_path("none/file"), &error), -1);
    assert_non_null(strstr(error.text, "none/file"));
    json_decref(root);
}

FIXTURE(directory_setup, directory_teardown)
