/* SPDX-License-Identifier: Apache-2.0
 *
 * Standard streams of child processes.
 */
#include "base/arena.h"
#include "base/file.h"
#include "base/process.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct workplace {
    struct arena arena;
    const char *directory;
};

static const char *in_directory(struct workplace *place, const char *name) {
    return path_join(&place->arena, place->directory, name);
}

static struct workplace new_place(void) {
    struct workplace place = {0};
    struct error error = {0};
    place.directory = directory_temporary(&place.arena, "process", &error);
    assert_non_null(place.directory);
    return place;
}

static void dispose(struct workplace *place) {
    struct error error = {0};
    assert_int_equal(directory_remove(place->directory, &error), 0);
    arena_dispose(&place->arena);
}

static void expect_text(struct workplace *place, const char *name, const char *expected) {
    struct error error = {0};
    char *text = NULL;
    assert_int_equal(file_read(&text, NULL, in_directory(place, name), &error), 0);
    assert_string_equal(text, expected);
    free(text);
}

static int run(const char *command, const struct process_options *options, struct error *error) {
    struct process_result result;
    const char *const argv[] = {"sh", "-c", command, NULL};
    if (process_run(&result, argv, options, error) != 0)
        return -1;
    assert_int_equal(result.exit_code, 0);
    return 0;
}

TEST(output_and_errors_go_to_their_files) {
    struct workplace place = new_place();
    struct error error = {0};
    struct process_options options = {.stdout_file = in_directory(&place, "out"),
                                      .stderr_file = in_directory(&place, "err")};
    assert_int_equal(run("echo out; echo err >&2", &options, &error), 0);
    expect_text(&place, "out", "out\n");
    expect_text(&place, "err", "err\n");
    options.stderr_file = options.stdout_file;
    assert_int_equal(run("echo out; echo err >&2", &options, &error), 0);
    expect_text(&place, "out", "out\nerr\n");
    dispose(&place);
}

TEST(files_are_written_where_the_tool_has_no_standard_output) {
    struct workplace place = new_place();
    struct error error = {0};
    struct process_options options = {.stdout_file = in_directory(&place, "out")};
    int kept = dup(STDOUT_FILENO);
    close(STDOUT_FILENO);
    int result = run("echo out", &options, &error);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    assert_int_equal(result, 0);
    expect_text(&place, "out", "out\n");
    dispose(&place);
}

TEST(what_cannot_be_written_starts_nothing) {
    struct workplace place = new_place();
    struct error error = {0};
    struct process_options options = {.stdout_file = in_directory(&place, "no/out"),
                                      .directory = place.directory};
    assert_int_equal(run("echo > started", &options, &error), -1);
    assert_non_null(strstr(error.text, "cannot start sh: No such file"));
    assert_false(file_exists(in_directory(&place, "started")));
    dispose(&place);
}
