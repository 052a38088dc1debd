/* SPDX-License-Identifier: Apache-2.0
 *
 * What profiled runs cannot tell of a prediction, run by run; and varied.json, damaged.
 */
#include "sized_runs.h"
#include "support.h"

#include "base/words.h"
#include "model/varied/not_known.h"

#include <string.h>

/* "4 64 -t 1e-8": the ranks, then arguments. */
static void add_run(struct world *world, const char *line, double iterations) {
    struct error error = {0};
    const char *const *words;
    size_t count;
    struct str json = {0};
    assert_int_equal(words_split(&words, &count, &world->arena, line, &error), 0);
    for (size_t i = 1; i < count; i++)
        str_printf(&json, "%s\"%s\"", i > 1 ? "," : "", words[i]);
    vec_push(&world->runs,
             (struct run){.id = "r",
                          .ranks = atoi(words[0]),
                          .arguments = arena_printf(&world->arena, "[%s]", str_text(&json))});
    world_add_sample(world, VALUE, NULL, &iterations, 1);
    str_dispose(&json);
}

static void make(struct varied *out, struct world *world, const char *const *runs,
                 const double *iterations) {
    world_init(world, VALUE_TRIPS);
    for (int i = 0; runs[i] != NULL; i++)
        add_run(world, runs[i], iterations != NULL ? iterations[i] : i);
    struct samples samples = {.runs = world->runs.items,
                              .run_count = (int)world->runs.count,
                              .items = world->samples.items,
                              .count = world->samples.count};
    varied_make(out, &samples, &world->regions);
}

static void find(struct not_known_list *out, struct world *world, const struct varied *varied,
                 const char *here) {
    struct error error = {0};
    struct words words;
    assert_int_equal(words_split(&words.items, &words.count, &world->arena, here, &error), 0);
    struct not_known_question question = {.varied = varied,
                                          .regions = &world->regions,
                                          .ranks = (size_t)atoi(words.items[0]),
                                          .words = {words.items + 1, words.count - 1}};
    not_known_find(out, &world->arena, &question);
}

#define RUNS_MAX 8

static const struct {
    const char *runs[RUNS_MAX];
    const char *here, *names, *tells; /* names: "" where all is known */
} cases[] = {
    {{"4 64 -t 1e-8", "4 96 -t 1e-8"}, "4 128 -t 1e-8", "", ""},
    {{"4 64 -t 1e-8", "4 96 -t 1e-8"}, "4 64 -t 1.0e-8", "", ""},
    {{"1 64 -t 1e-8", "4 64 -t 1e-8", "4 96 -t 1e-8"},
     "4 128 -t 1e-2",
     "-t",
     "-t is 1e-2 here and was 1e-8 in all profiled runs"},
    {{"2 64", "2 96"},
     "4 96",
     "the number of ranks",
     "the number of ranks is 4 here and was 2 in all profiled runs"},
    {{"2 64", "2 96", "4 64"}, "8 96", "", ""},
    {{"2 64", "2 96"}, "2 64 -c 5", "-c", "-c is 5 here and was in no profiled run"},
    {{"2 64", "2 96"}, "2 64 -v", "-v", "-v is given here and was in no profiled run"},
    {{"2 64 -v", "2 96 -v"}, "2 64", "-v", "-v is left out here and was given in all"},
    {{"2 64 --shape=slab", "2 96 --shape=slab"},
     "2 64 --shape=pencil",
     "--shape",
     "--shape is pencil here and was slab in all profiled runs"},
    {{"2 64 -s a", "2 96 -s b"}, "2 96 -s c", "-s", "-s is c here and was in no profiled run what"},
    {{"2 64 -t 1e-2", "2 64 -t 1e-4", "2 96 -t 1e-2"}, "2 96 -t 1e-6", "", ""},
    {{"2 64 -t 1e-2", "2 64 -t 1e-4", "2 96 -t 1e-2"}, "2 128 -t 1e-6", "", ""},
    {{"2 64 -t 1e-2", "2 96 -t 1e-4"}, "2 96 -t 1e-4", "", ""},
    {{"2 64 -t 1e-2", "2 96 -t 1e-4"},
     "2 96 -t 1e-2",
     "arg1 and -t",
     "these two varied only together"},
    {{"2 10 10", "2 20 20", "2 40 40"}, "2 80 80", "", ""},
    {{"2 10 10", "2 20 20", "2 40 40"}, "2 80 40", "arg1 and arg2", "only together"},
    {{"2 10 10", "2 20 20", "2 40 40"}, "2 8000 8080", "", ""},
    {{"2 10 10", "2 20 20", "2 40 40"}, "2 8000 8240", "arg1 and arg2", "only together"},
    {{"1 100", "2 200", "4 400"}, "16 1600", "", ""},
    {{"1 100", "2 200", "4 400"}, "16 400", "the number of ranks and arg1", "only together"},
    {{"2 10 30", "2 20 10", "2 40 20"}, "2 80 80", "", ""},
};

TEST(what_no_profiled_run_shows_is_told_by_name) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct varied varied;
        struct not_known_list list;
        struct str names = {0}, text = {0};
        make(&varied, &world, cases[i].runs, NULL);
        find(&list, &world, &varied, cases[i].here);
        not_known_add_names(&names, &list);
        not_known_add_text(&text, &list);
        assert_string_equal(str_text(&names), cases[i].names);
        assert_contains(str_text(&text), cases[i].tells);
        bool is_of_ranks = strcmp(cases[i].names, VARIED_RANKS) == 0;
        assert_int_equal(not_known_is_waited_for(&list), cases[i].names[0] != '\0' && !is_of_ranks);
        str_dispose(&names);
        str_dispose(&text);
        varied_dispose(&varied);
        world_dispose(&world);
    }
}

/* A file for the output: two pairs of runs that differ in nothing else have as many iterations. */
TEST(a_name_that_was_shown_to_change_nothing_is_known) {
    static const char *const runs[] = {"2 64 -o a", "2 64 -o b", "2 96 -o a", "2 96 -o b", NULL};
    static const double same[] = {10, 10, 15, 15}, others[] = {10, 10, 15, 16};
    for (int i = 0; i < 2; i++) {
        struct world world;
        struct varied varied;
        struct not_known_list list;
        make(&varied, &world, runs, i == 0 ? same : others);
        find(&list, &world, &varied, "2 96 -o c");
        assert_int_equal(list.count, i);
        varied_dispose(&varied);
        world_dispose(&world);
    }
}

TEST(what_a_user_or_a_hint_says_goes_by_nothing) {
    static const char *const runs[] = {"2 64 -t 1", "2 96 -t 1", NULL};
    struct world world;
    struct varied varied;
    struct not_known_list list;
    make(&varied, &world, runs, NULL);
    world.items[VALUE].hint = "20";
    find(&list, &world, &varied, "2 96 -t 2");
    assert_int_equal(list.count, 0);
    world.items[VALUE].hint = NULL;
    find(&list, &world, &varied, "2 96 -t 2");
    assert_int_equal(list.count, 1);
    varied_dispose(&varied);
    world_dispose(&world);
}

/* Sizes that were profiled, with what is new here. */
TEST(runs_that_would_tell_are_proposed) {
    static const char *const runs[] = {"1 64 -t 1", "4 64 -t 1", "4 96 -t 1",
                                       "4 80 -t 1", "4 70 -t 1", NULL};
    struct world world;
    struct varied varied;
    struct not_known_list list;
    make(&varied, &world, runs, NULL);
    find(&list, &world, &varied, "16 96 -t 2");
    assert_int_equal(list.run_count, NOT_KNOWN_RUNS);
    assert_int_equal(list.runs[0].ranks, 4);
    assert_string_equal(list.runs[0].words.items[0], "96");
    assert_string_equal(list.runs[0].words.items[2], "2");
    assert_string_equal(list.runs[1].words.items[0], "64");
    varied_dispose(&varied);
    world_dispose(&world);
}

static void read_damaged(const char *path, bool is_cut) {
    (void)is_cut;
    struct error error = {0};
    struct varied varied;
    (void)path;
    if (varied_read(&varied, test_path("."), &error) == 0)
        varied_dispose(&varied);
    else
        assert_contains(error.text, VARIED_FILE);
}

TEST_WITH(a_file_is_read_as_written_and_damage_is_an_error, directory_setup, directory_teardown) {
    static const char *const runs[] = {"2 64 -o a", "2 64 -o b", "2 96 -o a", "2 96 -o b", NULL};
    static const double same[] = {10, 10, 15, 15};
    struct error error = {0};
    struct world world;
    struct varied varied, read;
    make(&varied, &world, runs, same);
    assert_int_equal(varied_write(&varied, test_path("."), &error), 0);
    assert_int_equal(varied_read(&read, test_path("."), &error), 0);
    assert_int_equal(read.run_count, 4);
    assert_int_equal(read.runs[3].ranks, 2);
    assert_string_equal(read.runs[3].words.items[0], "96");
    assert_int_equal(read.value_count, 1);
    assert_string_equal(read.values[0].unaffected[0], "-o");
    write_text(test_path(VARIED_FILE), "{\"format\":\"mpiskel-varied\",\"version\":1,\"runs\":[{"
                                       "\"ranks\":2,\"arguments\":[\"64\"]}],"
                                       "\"values\":[{\"region\":1,\"unaffected\":[\"-o\"]}]}");
    each_damaged(VARIED_FILE, 300, 1, read_damaged);
    varied_dispose(&varied);
    varied_dispose(&read);
    world_dispose(&world);
}
