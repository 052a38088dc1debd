/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions may call which: the answers in circles and beside them, and that what it takes
 * grows with the number of calls, and not with that times the number of functions.
 */
#include "base/file.h"
#include "base/str.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/load.h"
#include "skeletonizer/pointsto/may_run.h"
#include "skeletonizer/pointsto/pointsto.h"
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#define FUNCTIONS 60

static char directory[] = "/tmp/mpiskel_may_run_XXXXXX";

static int make_directory(void **state) {
    assert_non_null(mkdtemp(directory));
    return 0;
}

static int remove_directory(void **state) {
    struct error error = {0};
    return directory_remove(directory, &error);
}

struct loaded {
    struct arena arena;
    struct externs externs;
    struct commands commands;
    struct program program;
    struct points_to points_to;
    struct may_run may_run;
};

static void load(struct loaded *out, const char *source) {
    struct error error = {0};
    *out = (struct loaded){0};
    write_text(path_join(&out->arena, directory, "app.c"), source);
    write_text(
        path_join(&out->arena, directory, "compile_commands.json"),
        arena_printf(
            &out->arena,
            "[{\"directory\": \"%s\", \"file\": \"app.c\", \"command\": \"mpicc -c app.c\"}]",
            directory));
    assert_int_equal(externs_load_builtin(&out->externs, &error), 0);
    assert_int_equal(commands_read(&out->commands, directory, &error), 0);
    assert_int_equal(program_load(&out->program, out->commands.compiles.items,
                                  (int)out->commands.compiles.count, directory, &out->externs,
                                  NULL),
                     0);
    points_to_solve(&out->points_to, &out->program);
    may_run_find(&out->may_run, &out->program);
}

static void unload(struct loaded *loaded) {
    may_run_dispose(&loaded->may_run);
    points_to_dispose(&loaded->points_to);
    program_dispose(&loaded->program);
    externs_dispose(&loaded->externs);
    commands_dispose(&loaded->commands);
    arena_dispose(&loaded->arena);
}

static int id_of(const struct loaded *loaded, const char *name) {
    for (size_t i = 0; i < loaded->program.functions.count; i++)
        if (strcmp(loaded->program.functions.items[i]->name, name) == 0)
            return loaded->program.functions.items[i]->id;
    fail_msg("no function %s", name);
    return -1;
}

/* Names of one character each. */
static void expect_run(const struct loaded *loaded, const char *from, const char *callees) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool may = may_run_has(&loaded->may_run, id_of(loaded, from), id_of(loaded, names[i]));
        if (may != (strstr(callees, names[i]) != NULL))
            fail_msg("%s %s %s", from, may ? "may call" : "may not call", names[i]);
    }
}

/* Two circles, of which one leads to the other, and pointers. */
TEST(functions_in_circles_lead_to_all_that_one_of_them_leads_to) {
    struct loaded loaded;
    load(&loaded, "void a(int), b(int), c(int), d(int), e(int), f(int), g(int), h(int);\n"
                  "void (*pointer)(int) = g;\n"
                  "void a(int n) { b(n); }\n"
                  "void b(int n) { if (n) c(n - 1); d(n); }\n"
                  "void c(int n) { if (n) b(n - 1); if (n > 2) a(n - 1); }\n"
                  "void d(int n) { if (n) e(n - 1); }\n"
                  "void e(int n) { if (n) d(n - 1); pointer(n); }\n"
                  "void f(int n) { d(n); h(n); }\n"
                  "void g(int n) { if (n) g(n - 1); }\n"
                  "void h(int n) { }\n"
                  "int main(void) { a(3); f(3); return 0; }\n");
    expect_run(&loaded, "a", "abcdeg");
    expect_run(&loaded, "b", "abcdeg");
    expect_run(&loaded, "c", "abcdeg");
    expect_run(&loaded, "d", "deg");
    expect_run(&loaded, "e", "deg");
    expect_run(&loaded, "f", "defgh");
    expect_run(&loaded, "g", "g");
    expect_run(&loaded, "h", "h");
    expect_run(&loaded, "main", "abcdefgh");
    unload(&loaded);
}

/* Each function calls the next two; the last ones call the first one again. */
static size_t steps_of(int count) {
    struct loaded loaded;
    struct str source = {0};
    for (int i = 0; i < count; i++)
        str_printf(&source, "void f%d(int n);\n", i);
    for (int i = 0; i < count; i++)
        str_printf(&source, "void f%d(int n) { f%d(n); if (n) f%d(n - 1); }\n", i, (i + 1) % count,
                   (i + 2) % count);
    str_printf(&source, "int main(void) { f0(3); return 0; }\n");
    load(&loaded, str_text(&source));
    size_t steps = loaded.may_run.steps;
    unload(&loaded);
    str_dispose(&source);
    return steps;
}

TEST(each_call_is_looked_at_once) {
    size_t once = steps_of(FUNCTIONS), twice = steps_of(2 * FUNCTIONS);
    assert_true(once >= FUNCTIONS);
    if (twice > 3 * once)
        fail_msg("%zu steps for %d functions, %zu for twice as many", once, FUNCTIONS, twice);
}

FIXTURE(make_directory, remove_directory)
