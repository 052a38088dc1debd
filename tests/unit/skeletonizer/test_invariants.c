/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants hold for a small program, stage by stage, and each check notices when one thing in
 * what its stage has made is broken.
 */
#include "base/file.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/load.h"
#include "frontend/program/program_check.h"
#include "skeletonizer/plan/code_hash.h"
#include "skeletonizer/plan/family.h"
#include "skeletonizer/plan/plan_check.h"
#include "skeletonizer/pointsto/pointsto_check.h"
#include "skeletonizer/rewrite/hooks.h"
#include "skeletonizer/rewrite/rewrite.h"
#include "skeletonizer/slice/instances.h"
#include "skeletonizer/slice/slice.h"
#include "skeletonizer/text/edits_check.h"
#include "skeletonizer/text/place_macros.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char source_text[] =
    "#include <mpi.h>\n"
    "#include <stdlib.h>\n"
    "static int *chosen, other;\n"
    "static double sum(const double *values, int n) {\n"
    "    double total = 0;\n"
    "    for (int i = 0; i < n; i++)\n"
    "        total += values[i];\n"
    "    return total;\n"
    "}\n"
    "int main(int argc, char **argv) {\n"
    "    MPI_Init(&argc, &argv);\n"
    "    int n = atoi(argv[1]), *count = &n;\n"
    "    chosen = count;\n"
    "    if (argc > 2)\n"
    "        chosen = &other;\n"
    "    double *values = malloc(n * sizeof *values), total;\n"
    "    for (int i = 0; i < n; i++)\n"
    "        values[i] = i;\n"
    "    double mine = sum(values, n);\n"
    "    for (int i = 0; i < *chosen; i++)\n"
    "        MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
    "    MPI_Finalize();\n"
    "}\n";

/* All stages of one program. */
struct stages {
    struct arena arena;
    struct commands commands;
    const struct link_command *link;
    struct externs externs;
    struct program program;
    struct points_to points_to;
    struct slice slice;
    struct plan plan;
    struct edits edits;
};

static char directory[] = "/tmp/mpiskel_invariants_XXXXXX";

static int write_program(void **state) {
    struct arena arena = {0};
    struct error error = {0};
    assert_non_null(mkdtemp(directory));
    const char *source = path_join(&arena, directory, "app.c");
    assert_int_equal(file_write(source, source_text, strlen(source_text), &error), 0);
    const char *database = arena_printf(
        &arena, "[{\"directory\": \"%s\", \"file\": \"app.c\", \"command\": \"mpicc -c app.c\"}]",
        directory);
    const char *path = path_join(&arena, directory, "compile_commands.json");
    assert_int_equal(file_write(path, database, strlen(database), &error), 0);
    arena_dispose(&arena);
    return 0;
}

static int remove_program(void **state) {
    struct error error = {0};
    return directory_remove(directory, &error);
}

static int make_stages(void **state) {
    struct stages *s = xmalloc(sizeof *s);
    struct error error = {0};
    *s = (struct stages){0};
    *state = s;
    assert_int_equal(externs_load_builtin(&s->externs, &error), 0);
    assert_int_equal(commands_read(&s->commands, directory, &error), 0);
    assert_int_equal(commands_select(&s->commands, NULL, &s->link, &error), 0);
    assert_int_equal(program_load(&s->program, s->commands.compiles.items,
                                  (int)s->commands.compiles.count, directory, &s->externs, NULL),
                     0);
    instances_make(&s->program);
    points_to_solve(&s->points_to, &s->program);
    slice_compute(&s->slice, &s->program, &s->points_to, &assumptions_default);
    plan_compute(&s->plan, &s->slice, NULL);
    hooks_find(&s->plan);
    code_name(&s->plan, &s->commands);
    family_name(&s->plan, &s->commands);
    place_macros_find(&s->program);
    assert_int_equal(rewrite_skeleton(&s->edits, &s->plan), 0);
    return 0;
}

static int dispose_stages(void **state) {
    struct stages *s = *state;
    edits_dispose(&s->edits);
    plan_dispose(&s->plan);
    slice_dispose(&s->slice);
    points_to_dispose(&s->points_to);
    program_dispose(&s->program);
    externs_dispose(&s->externs);
    commands_dispose(&s->commands);
    arena_dispose(&s->arena);
    free(s);
    return 0;
}

/* The first check that fails, in the order of the stages; NULL: none does. */
static const char *first_broken(struct stages *s, struct error *error) {
    if (program_check(&s->program, error) != 0)
        return "program";
    if (points_to_check(&s->points_to, error) != 0)
        return "points-to";
    if (slice_check(&s->slice, error) != 0)
        return "slice";
    if (plan_check(&s->plan, error) != 0)
        return "plan";
    return edits_check(&s->edits, &s->program, error) != 0 ? "edits" : NULL;
}

static void expect_broken(void **state, const char *stage, const char *text) {
    struct error error = {0};
    const char *broken = first_broken(*state, &error);
    assert_non_null(broken);
    assert_string_equal(broken, stage);
    if (strstr(error.text, text) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}

TEST_WITH(all_hold, make_stages, dispose_stages) {
    struct error error = {0};
    const char *broken = first_broken(*state, &error);
    if (broken != NULL)
        fail_msg("%s: %s", broken, error.text);
    const struct stages *s = *state;
    assert_true(s->plan.regions.count > 0 && s->edits.items.count > 1);
}

TEST_WITH(a_node_of_another_function, make_stages, dispose_stages) {
    struct stages *s = *state;
    s->program.functions.items[0]->nodes.items[1]->function = s->program.functions.items[1];
    expect_broken(state, "program", "is not its own");
}

TEST_WITH(an_object_with_another_number, make_stages, dispose_stages) {
    struct stages *s = *state;
    s->program.objects.items[1]->id = 0;
    expect_broken(state, "program", "object 0: is not at the place of its number");
}

TEST_WITH(a_range_behind_the_end, make_stages, dispose_stages) {
    struct stages *s = *state;
    s->program.nodes.items[2]->range = (struct range){0, 5, 1000000};
    expect_broken(state, "program", "its range is [5, 1000000)");
}

TEST_WITH(an_lvalue_in_no_object, make_stages, dispose_stages) {
    struct stages *s = *state;
    for (size_t i = 0; i < s->program.nodes.count; i++)
        if (s->program.nodes.items[i]->uses.count > 0)
            s->program.nodes.items[i]->uses.items[0] =
                (struct lvalue){.object = 12345, .pointer = -1};
    expect_broken(state, "program", "names object 12345");
}

/* As if what `chosen` may point to had not reached those that read it. */
TEST_WITH(a_target_that_is_missing, make_stages, dispose_stages) {
    struct stages *s = *state;
    int emptied = 0;
    for (int i = 0; i < s->points_to.variable_count; i++)
        if (points_to_targets(&s->points_to, i)->count > 1) {
            s->points_to.variables[i] = 0;
            emptied++;
        }
    assert_true(emptied > 0);
    expect_broken(state, "points-to", "are not solved");
}

TEST_WITH(a_demand_that_was_not_raised, make_stages, dispose_stages) {
    struct stages *s = *state;
    slice_take_back(&s->slice, s->slice.demands.count - 1);
    s->slice.next = s->slice.demands.count;
    expect_broken(state, "slice", "is not closed");
}

TEST_WITH(a_demand_without_a_reason, make_stages, dispose_stages) {
    struct stages *s = *state;
    s->slice.demands.items[4].parent = 7;
    expect_broken(state, "slice", "demand 4 has no reason");
}

TEST_WITH(a_demand_with_no_words_for_its_reason, make_stages, dispose_stages) {
    struct stages *s = *state;
    s->slice.demands.items[s->slice.demands.count - 1].why = NULL;
    expect_broken(state, "slice", "has no reason");
}

static struct code_region *computation(struct stages *s) {
    for (size_t i = 0; i < s->plan.regions.count; i++)
        if (!s->plan.regions.items[i]->is_kept && s->plan.regions.items[i]->value == NULL)
            return s->plan.regions.items[i];
    fail_msg("no region was removed");
    return NULL;
}

TEST_WITH(a_region_with_what_stays, make_stages, dispose_stages) {
    struct stages *s = *state;
    struct code_region *region = computation(s);
    const struct node *call = NULL;
    for (size_t i = 0; i < s->program.calls.count; i++)
        if (s->program.calls.items[i]->mpi != NULL &&
            strcmp(s->program.calls.items[i]->name, "MPI_Init") == 0)
            call = s->program.calls.items[i]->node;
    assert_non_null(call);
    region->trees.count = 1;
    region->trees.items[0] = call->tree;
    region->function = call->function;
    expect_broken(state, "plan", "has a statement that stays");
}

TEST_WITH(a_region_twice, make_stages, dispose_stages) {
    struct stages *s = *state;
    struct code_region *copy = ARENA_NEW(&s->program.arena, struct code_region);
    *copy = *computation(s);
    copy->index = (int)s->plan.regions.count;
    copy->trees.items = xmalloc(sizeof *copy->trees.items);
    copy->trees.items[0] = computation(s)->trees.items[0];
    copy->trees.count = 1;
    memset(&copy->exits, 0, sizeof copy->exits);
    memset(&copy->features, 0, sizeof copy->features);
    vec_push(&s->plan.regions, copy);
    expect_broken(state, "plan", "overlap");
}

TEST_WITH(edits_that_overlap, make_stages, dispose_stages) {
    struct stages *s = *state;
    edits_add(&s->edits, (struct range){0, 0, 30}, "");
    edits_add(&s->edits, (struct range){0, 20, 40}, "");
    expect_broken(state, "edits", "the edits of [0, 30) and of [20, 40) overlap");
}

/* From each object by itself, and from all. */
TEST_WITH(what_is_reached_is_what_pointers_lead_to, make_stages, dispose_stages) {
    struct points_to *p = &((struct stages *)*state)->points_to;
    size_t count = p->program->objects.count, more = 0;
    for (size_t from = 0; from <= count; from++) {
        unsigned char *objects = xcalloc(points_to_reach_bytes(p), 1);
        bool *reached = xcalloc(count, sizeof *reached);
        for (size_t i = 0; i < count; i++)
            if (i == from || from == count) {
                object_set_add(objects, (int)i);
                reached[i] = true;
            }
        points_to_close(p, reached);
        const unsigned char *found = points_to_reach(p, objects);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(object_set_has(found, (int)i), reached[i]);
            more += reached[i] && !object_set_has(objects, (int)i);
        }
        assert_ptr_equal(points_to_reach(p, objects), found);
        assert_ptr_equal(points_to_reach(p, found), found);
        free(objects);
        free(reached);
    }
    assert_true(more > 0);
}

FIXTURE(write_program, remove_program)
