/* SPDX-License-Identifier: Apache-2.0
 *
 * What copies of records take while pointers are followed grows with the number of places that are
 * copied, and not with its square: steps are counted, of programs of one size and of the double.
 */
#include "base/file.h"
#include "base/str.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/load.h"
#include "skeletonizer/pointsto/pointsto.h"
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#define PLACES 40

static char directory[] = "/tmp/mpiskel_copies_XXXXXX";

static int make_directory(void **state) {
    assert_non_null(mkdtemp(directory));
    return 0;
}

static int remove_directory(void **state) {
    struct error error = {0};
    return directory_remove(directory, &error);
}

/* The steps that copies take in a program. */
static size_t steps_of(const char *source) {
    struct arena arena = {0};
    struct error error = {0};
    struct externs externs = {0};
    struct commands commands = {0};
    struct program program = {0};
    struct points_to points_to;
    write_text(path_join(&arena, directory, "app.c"), source);
    write_text(
        path_join(&arena, directory, "compile_commands.json"),
        arena_printf(
            &arena,
            "[{\"directory\": \"%s\", \"file\": \"app.c\", \"command\": \"mpicc -c app.c\"}]",
            directory));
    assert_int_equal(externs_load_builtin(&externs, &error), 0);
    assert_int_equal(commands_read(&commands, directory, &error), 0);
    assert_int_equal(program_load(&program, commands.compiles.items, (int)commands.compiles.count,
                                  directory, &externs, NULL),
                     0);
    points_to_solve(&points_to, &program);
    size_t steps = points_to.copy_steps;
    points_to_dispose(&points_to);
    program_dispose(&program);
    externs_dispose(&externs);
    commands_dispose(&commands);
    arena_dispose(&arena);
    return steps;
}

static void expect_linear(size_t once, size_t twice) {
    assert_true(once >= PLACES);
    if (twice > 3 * once)
        fail_msg("%zu steps for %d places, %zu for twice as many", once, PLACES, twice);
}

/* The pointer to what is copied gets one more target in each pass over the constraints. */
static size_t steps_of_passes(int count) {
    struct str source = {0};
    str_printf(&source, "struct record { int *a; };\nstatic int x;\n");
    for (int i = 0; i <= count; i++)
        str_printf(&source, "static struct record r%d;\n", i);
    str_printf(&source, "int main(void) {\n    struct record copy, *p0");
    for (int i = 1; i <= count; i++)
        str_printf(&source, ", *p%d", i);
    str_printf(&source, ";\n");
    for (int i = 0; i < count; i++)
        str_printf(&source, "    p%d = p%d;\n", i, i + 1);
    for (int i = 0; i <= count; i++)
        str_printf(&source, "    p%d = &r%d;\n    r%d.a = &x;\n", i, i, i);
    str_printf(&source, "    copy = *p0;\n    return *copy.a;\n}\n");
    size_t steps = steps_of(str_text(&source));
    str_dispose(&source);
    return steps;
}

TEST(what_was_copied_before_is_not_copied_again) {
    expect_linear(steps_of_passes(PLACES), steps_of_passes(2 * PLACES));
}

/* All places that are copied are different parts, of objects of their own. */
static size_t steps_of_parts(int count) {
    struct str source = {0};
    str_printf(&source, "#include <string.h>\nstatic int x;\n");
    for (int i = 0; i < count; i++)
        str_printf(&source, "static struct { char before[%d]; int *a; } r%d;\n", 8 * i + 8, i);
    str_printf(&source, "int main(void) {\n    int **from, *copy;\n");
    for (int i = 0; i < count; i++)
        str_printf(&source, "    from = &r%d.a;\n    r%d.a = &x;\n", i, i);
    str_printf(&source, "    memcpy(&copy, from, sizeof copy);\n    return *copy;\n}\n");
    size_t steps = steps_of(str_text(&source));
    str_dispose(&source);
    return steps;
}

TEST(each_part_is_looked_at_once) {
    expect_linear(steps_of_parts(PLACES), steps_of_parts(2 * PLACES));
}

FIXTURE(make_directory, remove_directory)
