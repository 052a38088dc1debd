/* SPDX-License-Identifier: Apache-2.0
 *
 * What profiling runs are warned of: sources that changed since, and a machine that was slower; and
 * that lines of code without features are not said to need other sizes.
 */
#include "support.h"

#include "base/file.h"
#include "model/findings/region_findings.h"
#include "model/samples/disturbed.h"
#include "model/samples/source_hashes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is said on stderr of the first `count` of three files, all of which changed. */
static char *changes_of(size_t count) {
    static const struct source_hash items[] = {{"a.c", "00"}, {"b.c", "00"}, {"c.c", "00"}};
    struct source_hashes hashes = {items, count};
    struct error error = {0};
    char *text = NULL;
    size_t length = 0;
    int before = dup(STDERR_FILENO);
    fflush(stderr);
    assert_non_null(freopen(test_path("said"), "w", stderr));
    source_hashes_tell_changes(&hashes, test_path("."), "a.skel");
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_int_equal(file_read(&text, &length, test_path("said"), &error), 0);
    return text;
}

TEST(changed_sources_are_counted) {
    static const char *const wanted[] = {NULL, "warning: a.c changed since a.skel was generated",
                                         "warning: a.c and 1 other source changed since a.skel",
                                         "warning: a.c and 2 other sources changed since a.skel"};
    for (int i = 0; i < 3; i++)
        write_text(test_path((const char *[]){"a.c", "b.c", "c.c"}[i]), "int x;\n");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char *said = changes_of(i);
        if (wanted[i] == NULL)
            assert_string_equal(said, "");
        else
            assert_contains(said, wanted[i]);
        free(said);
    }
}

TEST(a_slow_first_run_is_told) {
    struct run runs[] = {
        {.id = "first", .host = "h", .cpu = "c", .clock = "cpu", .reference_s = 0.015},
        {.id = "second", .host = "h", .cpu = "c", .clock = "cpu", .reference_s = 0.01}};
    struct samples samples = {.runs = runs, .run_count = 2};
    struct text_set added = {0};
    struct str text = {0};
    text_set_add(&added, "first");
    disturbed_add_text(&text, &samples, &added);
    assert_contains(str_text(&text), "1 of 2 profiling runs");
    assert_contains(str_text(&text), "by up to 50 %");
    assert_contains(str_text(&text), "(first)");
    str_dispose(&text);
    text_set_dispose(&added);
}

TEST(regions_without_features_need_no_other_sizes) {
    static const struct feature features[] = {{"n1", "", "", false}};
    struct region items[] = {
        {.index = 0, .file = "a.c", .line = 1, .function = "f", .summary = ""},
        {.index = 1, .file = "a.c", .line = 9, .function = "g", .summary = ""}};
    items[1].features = features;
    items[1].feature_count = 1;
    struct latency_model models_items[] = {
        {.region = 0, .fitted = true, .point_count = 1},
        {.region = 1, .fitted = true, .point_count = 1, .feature_count = 1}};
    struct regions regions = {.items = items, .count = 2};
    struct models models = {.items = models_items, .count = 2};
    struct findings findings = {0};
    const double shares[] = {0.5, 0.5};
    region_findings_add(&findings, &models, &regions, shares, "the profiled time");
    assert_int_equal(findings.items.count, 1);
    assert_contains(findings.items.items[0].text, "a.c:9 g");
    findings_dispose(&findings);
}

FIXTURE(directory_setup, directory_teardown)
