/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of samples files.
 */
#include "support.h"

#include "model/samples/sample.h"
#include "model/samples/translate.h"

#include <string.h>

static struct regions regions;

static int setup(void **state) {
    struct error error = {0};
    if (directory_setup(state) != 0)
        return -1;
    write_text(test_path("regions.json"), regions_text());
    return regions_read(&regions, test_path("regions.json"), &error);
}

static int teardown(void **state) {
    regions_dispose(&regions);
    return directory_teardown(state);
}

#define HEAD                                                                                       \
    "{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"" TEST_BUNDLE                      \
    "\",\"run\":\"r-1\","                                                                          \
    "\"ranks\":4,\"host\":\"node\",\"cpu\":\"some cpu\",\"args\":[\"64\",\"a b\"],"                \
    "\"elapsed_s\":1.5,\"reference_s\":0.0125,\"timer_overhead_s\":2.1e-08,\"complete\":true}\n"
#define ONE                                                                                        \
    "{\"region\":0,\"rank\":2,\"features\":[64,4096],\"count\":100,\"timed\":50,"                  \
    "\"seconds\":0.0123,\"squares\":1.6e-06,\"min\":0.000119,\"max\":0.00014}\n"
#define TWO                                                                                        \
    "{\"region\":1,\"rank\":0,\"features\":[],\"count\":1,\"timed\":1,\"seconds\":-1e-9,"          \
    "\"squares\":0,\"min\":0,\"max\":0}\n"
#define END(n) "{\"end\":true,\"lines\":" #n "}\n"

#define THREE                                                                                      \
    "{\"region\":1,\"rank\":1,\"features\":[],\"count\":3,\"timed\":3,\"seconds\":1e-3,"           \
    "\"squares\":0,\"min\":0,\"max\":0,\"contexts\":[1,1,-1,1,6e-4,2,2,0,2,4e-4]}\n"

#define SITE(name, line, count)                                                                    \
    "{\"name\":" name ",\"file\":\"a.c\",\"line\":" line ",\"count\":" count ",\"bytes\":80}"
#define KEPT(member, number)                                                                       \
    "{\"name\":\"f\",\"file\":\"a.c\",\"line\":1,\"count\":1,\"bytes\":8,\"" member "\":" number "}"
#define CALLS(rank, sites) "{\"rank\":" rank ",\"calls\":" sites "}\n"
#define FOUR CALLS("3", "[" SITE("\"MPI_Send\"", "7", "10") "," SITE("\"MPI_Bcast\"", "0", "2") "]")

static const char good[] = HEAD ONE TWO THREE FOUR END(4);

TEST(run_and_samples_are_read) {
    const char *path = test_path("a.samples");
    struct samples samples;
    struct error error = {0};
    write_text(path, good);
    assert_int_equal(samples_read(&samples, path, &regions, &error), 0);
    assert_int_equal(samples.run_count, 1);
    assert_string_equal(samples.runs[0].id, "r-1");
    assert_string_equal(samples.runs[0].host, "node");
    assert_string_equal(samples.runs[0].cpu, "some cpu");
    assert_string_equal(samples.runs[0].arguments, "[\"64\",\"a b\"]");
    assert_int_equal(samples.runs[0].ranks, 4);
    assert_true(samples.runs[0].timer_overhead_s == 2.1e-8);
    assert_true(samples.runs[0].elapsed_s == 1.5);
    assert_true(samples.runs[0].reference_s == 0.0125);
    assert_true(samples.runs[0].complete);
    assert_int_equal(samples.count, 3);
    const struct call_counts *calls = &samples.runs[0].calls;
    assert_int_equal(calls->count, 2);
    assert_string_equal(calls->items[0].name, "MPI_Send");
    assert_string_equal(calls->items[0].file, "a.c");
    assert_int_equal(calls->items[0].rank, 3);
    assert_int_equal(calls->items[0].line, 7);
    assert_true(calls->items[1].count == 2 && calls->items[1].bytes == 80);
    const struct sample *sample = &samples.items[0];
    assert_int_equal(sample->region, 0);
    assert_int_equal(sample->rank, 2);
    assert_int_equal(sample->run, 0);
    assert_int_equal(sample->feature_count, 2);
    assert_true(sample->features[0] == 64 && sample->features[1] == 4096);
    assert_true(sample->count == 100 && sample->timed == 50);
    assert_true(sample->seconds == 0.0123 && sample->squares == 1.6e-6);
    assert_true(sample->min == 0.000119 && sample->max == 0.00014);
    assert_int_equal(samples.items[1].feature_count, 0);
    samples_dispose(&samples);
}

#define CONTEXTS(numbers)                                                                          \
    "{\"region\":1,\"rank\":0,\"features\":[],\"count\":9,\"timed\":9,\"seconds\":3,"              \
    "\"squares\":1,\"min\":0,\"max\":1,\"contexts\":" numbers "}\n"

TEST(contexts_are_read) {
    const char *path = test_path("a.samples");
    struct samples samples;
    struct error error = {0};
    write_text(path, HEAD CONTEXTS("[1,1,-1,1,2, 17,5,2,8,1e-3]") END(1));
    assert_int_equal(samples_read(&samples, path, &regions, &error), 0);
    const struct sample *sample = &samples.items[0];
    assert_int_equal(sample->context_count, 2);
    assert_int_equal(sample->contexts[0].execution, 0);
    assert_int_equal(sample->contexts[0].before, -1);
    assert_true(sample->contexts[0].timed == 1 && sample->contexts[0].seconds == 2);
    assert_int_equal(sample->contexts[1].execution, 6); /* the seventh bucket: 17 to 32 */
    assert_int_equal(sample->contexts[1].unchanged, 4);
    assert_int_equal(sample->contexts[1].before, 2);
    samples_dispose(&samples);
}

TEST(a_run_without_samples_is_read) {
    const char *path = test_path("a.samples");
    struct samples samples;
    struct error error = {0};
    write_text(path, HEAD END(0));
    assert_int_equal(samples_read(&samples, path, &regions, &error), 0);
    assert_int_equal(samples.count, 0);
    samples_dispose(&samples);
}

#define SAMPLE(region, rank, features, count, timed, seconds)                                      \
    "{\"region\":" region ",\"rank\":" rank ",\"features\":" features ",\"count\":" count          \
    ",\"timed\":" timed ",\"seconds\":" seconds ",\"squares\":0,\"min\":0,\"max\":0}\n"

#define TIMES(seconds, squares, min, max)                                                          \
    "{\"region\":1,\"rank\":0,\"features\":[],\"count\":1,\"timed\":1,\"seconds\":" seconds        \
    ",\"squares\":" squares ",\"min\":" min ",\"max\":" max "}\n"
#define RUN(times)                                                                                 \
    "{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"" TEST_BUNDLE                      \
    "\",\"run\":\"r\",\"ranks\":1,\"host\":\"\",\"cpu\":\"\"," times "}\n"

static const struct {
    const char *text;
    const char *error;
} refused[] = {
    {"", ":1: error: the file is empty"},
    {"\n", ":1:0: error: not valid JSON"},
    {"hello", ":1: error: the file is truncated: it ends within a line"},
    {"[1]\n", ":1: error: this is not a samples file"},
    {"{\"format\":\"mpiskel-samples\",\"version\":7}\n", ":1: error: this version"},
    {"{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"ffffffffffffffff\"}\n",
     ":1: error: these samples are foreign: they are of bundle ffffffffffffffff"},
    {"{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":\"" TEST_BUNDLE "\"}\n",
     ":1: error: a member of the first line is missing"},
    {HEAD, ":2: error: the file is truncated: it has no end line"},
    {HEAD ONE, ":3: error: the file is truncated"},
    {HEAD ONE END(2), ":3: error: the end line does not tell the 1 lines before it"},
    {HEAD ONE "{\"end\":true}\n", ":3: error: the end line does not tell"},
    {HEAD END(0) ONE, ":2: error: there is something after the end line"},
    {HEAD "[3]\n" END(1), ":2: error: 'region' is missing"},
    {HEAD SAMPLE("3", "0", "[]", "1", "1", "1"), ":2: error: 'region' is missing"},
    {HEAD SAMPLE("-1", "0", "[]", "1", "1", "1"), ":2: error: 'region' is missing"},
    {HEAD SAMPLE("1", "4", "[]", "1", "1", "1"), ":2: error: 'rank' is missing"},
    {HEAD SAMPLE("1", "0", "[1]", "1", "1", "1"), ":2: error: 'features' has not as many"},
    {HEAD SAMPLE("0", "0", "[1]", "1", "1", "1"), ":2: error: 'features' has not as many"},
    {HEAD SAMPLE("0", "0", "[1,\"x\"]", "1", "1", "1"), ":2: error: a number of the sample"},
    {HEAD SAMPLE("0", "0", "[1,1e200]", "1", "1", "1"), ":2: error: a number is too large"},
    {HEAD SAMPLE("0", "0", "[1,1e999]", "1", "1", "1"), ":2:"},
    {HEAD SAMPLE("1", "0", "[]", "1", "2", "1"), ":2: error: 'timed' is negative or larger"},
    {HEAD SAMPLE("1", "0", "[]", "1", "-1", "1"), ":2: error: 'timed' is negative or larger"},
    {HEAD SAMPLE("1", "0", "[]", "1", "1", "NaN"), ":2:"},
    {HEAD SAMPLE("1", "0", "[]", "1", "1", "null"), ":2: error: a number of the sample"},
    {HEAD SAMPLE("1", "0", "[]", "1", "1", "-3e-8"), ":2: error: a time is negative"},
    {HEAD SAMPLE("1", "0", "[]", "9", "3", "-7e-8"), ":2: error: a time is negative"},
    {HEAD TIMES("1", "-1", "0", "0"), ":2: error: a time is negative"},
    {HEAD TIMES("1", "0", "-1", "1"), ":2: error: a time is negative"},
    {HEAD TIMES("1", "0", "-2", "-1"), ":2: error: a time is negative"},
    {HEAD TIMES("1", "1", "1", "1,\"waited\":-1"), ":2: error: 'waited' is negative or larger"},
    {HEAD TIMES("1", "1", "1", "1,\"waited\":2"), ":2: error: 'waited' is negative or larger"},
    {HEAD TIMES("1", "1", "1", "1,\"counted\":[1,2]"), ":2: error: 'counted' is no list of three"},
    {HEAD TIMES("1", "1", "1", "1,\"counted\":[1,2,-3]"), ":2: error: 'counted' is no list"},
    {HEAD TIMES("1", "1", "1", "1,\"counted\":[1,2,3,4]"), ":2: error: 'counted' is no list"},
    {HEAD TIMES("1", "0", "2", "1"), ":2: error: 'min' is larger than 'max'"},
    {RUN("\"elapsed_s\":-1"), ":1: error: 'elapsed_s' is out of range"},
    {RUN("\"elapsed_s\":\"1\""), ":1: error: 'elapsed_s' is out of range"},
    {RUN("\"reference_s\":-1e-9"), ":1: error: 'reference_s' is out of range"},
    {RUN("\"timer_overhead_s\":-1e-9"), ":1: error: 'timer_overhead_s' is out of range"},
    {RUN("\"timer_overhead_s\":2"), ":1: error: 'timer_overhead_s' is out of range"},
    {HEAD CALLS("4", "[]"), ":2: error: the calls are of no rank of the run"},
    {HEAD CALLS("-1", "[]"), ":2: error: the calls are of no rank of the run"},
    {HEAD CALLS("0", "7"), ":2: error: 'calls' is no list"},
    {HEAD CALLS("0", "[7]"), ":2: error: a call site has no 'name', 'file' or 'line'"},
    {HEAD CALLS("0", "[" SITE("7", "7", "1") "]"), ":2: error: a call site has no 'name'"},
    {HEAD CALLS("0", "[" SITE("\"f\"", "-1", "1") "]"), ":2: error: a call site has no 'name'"},
    {HEAD CALLS("0", "[" SITE("\"f\"", "1", "-1") "]"), ":2: error: 'count' or 'bytes'"},
    {HEAD CALLS("0", "[" SITE("\"f\"", "1", "1e19") "]"), ":2: error: 'count' or 'bytes'"},
    {HEAD CALLS("0", "[" KEPT("kept_s", "\"x\"") "]"), ":2: error: 'kept_s' of a call site"},
    {HEAD CALLS("0", "[" KEPT("kept_s", "-1") "]"), ":2: error: 'kept_s' of a call site"},
    {HEAD CALLS("0", "[" KEPT("first_s", "-1") "]"), ":2: error: 'first_s' of a call site"},
    {HEAD CALLS("0", "[]") END(0), ":3: error: the end line does not tell the 1 lines"},
    {HEAD CONTEXTS("[1,1,-1,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[0,1,-1,1,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1.5,1,-1,1,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1,2,-1,1,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1e90,1,-1,1,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1,1,-3,1,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1,1,1e9,1,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1,1,-1,0,1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1,1,-1,1,-1]"), ":2: error: 'contexts' is no list of contexts"},
    {HEAD CONTEXTS("[1,1,-1,1,\"x\"]"), ":2: error: a number of the sample"},
};

TEST(wrong_files_are_refused_with_their_line) {
    const char *path = test_path("a.samples");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct samples samples;
        struct error error = {0};
        write_text(path, refused[i].text);
        assert_int_equal(samples_read(&samples, path, &regions, &error), -1);
        assert_contains(error.text, refused[i].error);
        assert_contains(error.text, path);
    }
}

TEST(every_prefix_is_refused) {
    const char *path = test_path("a.samples");
    for (size_t length = 0; length < sizeof good - 2; length++) {
        struct samples samples;
        struct error error = {0};
        write_bytes(path, good, length);
        assert_int_equal(samples_read(&samples, path, &regions, &error), -1);
        if (length > 0)
            assert_contains(error.text, "truncated");
    }
}

TEST(damaged_files_do_no_harm) {
    const char *path = test_path("a.samples");
    struct random random;
    random_seed(&random, 3);
    for (int round = 0; round < 5000; round++) {
        char bytes[sizeof good + 16];
        size_t length = sizeof good - 1;
        struct samples samples;
        struct error error = {0};
        memcpy(bytes, good, sizeof good);
        damage(bytes, &length, &random);
        write_bytes(path, bytes, length);
        if (samples_read(&samples, path, &regions, &error) == 0)
            samples_dispose(&samples);
        else
            assert_contains(error.text, ": error: ");
    }
}

/* Region 0 is now 2, region 1 is 0, and region 2 is gone. */
TEST(contexts_are_translated_for_another_bundle) {
    static const int map[] = {2, 0, -1};
    const char *from = test_path("a.samples"), *to = test_path("b.samples");
    struct samples samples;
    struct error error = {0};
    size_t count = 0;
    write_text(from, HEAD CONTEXTS("[1,1,-1,1,2, 2,2,0,1,1, 3,3,1,1,1, 4,4,2,1,1]") END(1));
    struct regions now = regions;
    struct region items[] = {regions.items[1], regions.items[2], regions.items[0]};
    for (int i = 0; i < 3; i++)
        items[i].index = i;
    now.items = items;
    assert_int_equal(samples_translate(&count, to, from, &regions, &now, map, &error), 0);
    assert_int_equal(count, 1);
    assert_int_equal(samples_read(&samples, to, &now, &error), 0);
    assert_int_equal(samples.items[0].region, 0);
    static const int before[] = {-1, 2, 0, CONTEXT_LOST};
    for (int i = 0; i < 4; i++)
        assert_int_equal(samples.items[0].contexts[i].before, before[i]);
    samples_dispose(&samples);
}

FIXTURE(setup, teardown)
