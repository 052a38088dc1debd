/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries of runs: read, refused, truncated at every byte.
 */
#include "support.h"

#include "base/str.h"
#include "simulator/run/stats.h"

#include <stdlib.h>
#include <string.h>

#define RANK "{\"end_s\":1.25,\"compute_s\":1.0,\"mpi_s\":0.25,\"calls\":12}"
#define BEGIN "{\"format\":\"mpiskel-stats\",\"version\":1,"
#define REGION                                                                                     \
    "{\"index\":1,\"executions\":10,\"seconds\":2.5,\"most_seconds\":2,\"features_min\":[1,2],"    \
    "\"features_max\":[3,4]"                                                                       \
    "}"
#define SITE                                                                                       \
    "{\"name\":\"MPI_Send\",\"file\":\"a.c\",\"line\":8,\"count\":5,\"seconds\":3.5,\"bytes\":40}"
#define REST "\"regions\":[" REGION "],\"calls\":[],\"sites\":[" SITE "]}"
#define GOOD                                                                                       \
    BEGIN "\"ranks\":2,\"finalized\":2,\"makespan_s\":1.25,\"per_rank\":[" RANK "," RANK "]," REST

static const char good[] = GOOD;

TEST(summary_is_read) {
    struct error error = {0};
    struct run_stats stats;
    write_text(test_path("stats.json"), GOOD);
    assert_fine(run_stats_read(&stats, test_path("stats.json"), &error), &error);
    assert_int_equal(stats.ranks, 2);
    assert_true(stats.makespan_s == 1.25);
    assert_true(stats.per_rank[1].mpi_s == 0.25);
    assert_int_equal(stats.regions[0].index, 1);
    assert_int_equal(stats.regions[0].feature_count, 2);
    assert_true(stats.regions[0].features_max[1] == 4);
    assert_true(stats.regions[0].most_seconds == 2);
    assert_string_equal(stats.sites[0].file, "a.c");
    assert_int_equal(stats.call_count, 0);
    run_stats_dispose(&stats);
}

TEST(truncated_summaries_are_refused) {
    for (size_t length = 0; length + 1 < sizeof GOOD; length++) {
        struct error error = {0};
        struct run_stats stats;
        char *part = strndup(GOOD, length);
        write_text(test_path("stats.json"), part);
        free(part);
        assert_int_equal(run_stats_read(&stats, test_path("stats.json"), &error), -1);
    }
}

static const struct {
    const char *from, *to, *message;
} damages[] = {
    {"mpiskel-stats", "other", "summary.format"},
    {"\"version\":1", "\"version\":2", "summary.version"},
    {"\"ranks\":2", "\"ranks\":3", "summary.per_rank"},
    {"\"ranks\":2", "\"ranks\":-2", "summary.ranks"},
    {"\"ranks\":2", "\"ranks\":1e9", "summary.ranks"},
    {"1.25,\"per", "-1,\"per", "summary.makespan_s is negative"},
    {"\"calls\":12", "\"calls\":\"x\"", "per_rank.calls"},
    {"[3,4]", "[3]", "features_max is not as long"},
    {"[3,4]", "[3,null]", "features_max holds something else"},
    {"[3,4]", "7", "features_max is missing or no list"},
    {"\"a.c\"", "null", "sites.file"},
    {"\"line\":8", "\"line\":8.5", "sites.line"},
    {"\"index\":1", "\"index\":-1", "regions.index"},
    {"\"sites\":[", "\"sides\":[", "summary.sites"},
    {"\"most_seconds\":2", "\"most_seconds\":-2", "regions.most_seconds is negative"},
    {"\"most_seconds\":2", "\"most_seconds\":[]", "regions.most_seconds"},
};

TEST(damaged_summaries_are_refused) {
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct error error = {0};
        struct run_stats stats;
        struct str text = {0};
        const char *place = strstr(good, damages[i].from);
        assert_non_null(place);
        str_addn(&text, good, (size_t)(place - good));
        str_add(&text, damages[i].to);
        str_add(&text, place + strlen(damages[i].from));
        write_text(test_path("stats.json"), text.text);
        str_dispose(&text);
        assert_int_equal(run_stats_read(&stats, test_path("stats.json"), &error), -1);
        assert_contains(error.text, damages[i].message);
    }
}

FIXTURE(directory_setup, directory_teardown)
