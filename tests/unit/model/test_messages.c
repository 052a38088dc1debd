/* SPDX-License-Identifier: Apache-2.0
 *
 * Measured messages: what the benchmark prints is read, what is no measurement refused, several
 * starts become one, and files come back as they were written.
 */
#include "support.h"

#include "model/network/messages.h"

#include <stdio.h>
#include <string.h>

#define TRIPS                                                                                      \
    "threshold within 257\n"                                                                       \
    "point within pingpong 1 3e-7 2e-7 4e-7 30\n"                                                  \
    "point within pingpong 8 3e-7 2e-7 4e-7 30\n"                                                  \
    "point within pingpong 64 5e-7 4e-7 6e-7 30\n"

static struct messages parse(const char *text) {
    struct messages messages;
    struct error error = {0};
    assert_int_equal(messages_parse(&messages, text, &error), 0);
    return messages;
}

TEST(what_the_benchmark_prints_is_read) {
    struct messages messages =
        parse("a launcher's greeting\nhost 0 here\n" TRIPS "progress within 1 2 3 4.5\n"
              "point within send 8 7e-8 6e-8 8e-8 40\nend\n");
    const struct message_pair *within = &messages.pairs[MESSAGE_WITHIN];
    assert_true(within->measured && !messages.pairs[MESSAGE_ACROSS].measured);
    assert_true(within->threshold_bytes == 257);
    assert_int_equal(within->kinds[MESSAGE_PINGPONG].count, 3);
    const struct message_point *point = messages_find(&within->kinds[MESSAGE_SEND], 8);
    assert_non_null(point);
    assert_true(point->median_s == 7e-8 && point->low_s == 6e-8 && point->high_s == 8e-8);
    assert_true(point->samples == 40);
    assert_null(messages_find(&within->kinds[MESSAGE_SEND], 1));
    messages_dispose(&messages);
}

TEST(what_is_no_measurement_is_refused) {
    static const char *const bad[][2] = {
        {"", "it ended early"},
        {TRIPS, "it ended early"},
        {"end\n", "nothing was measured"},
        {"threshold within 9\npoint within pingpong 1 1 1 1 1\nend\n", "fewer than three sizes"},
        {TRIPS "point within pingpong 64 1 1 1 1\nend\n", "what is no measurement: point within"},
        {TRIPS "point within pingpong 65 nan 1 1 1\nend\n", "what is no measurement"},
        {TRIPS "point within pingpong 65 1 inf 1 1\nend\n", "what is no measurement"},
        {TRIPS "point within pingpong 65 -1 1 1 1\nend\n", "what is no measurement"},
        {TRIPS "point within pingpong 65 1 1 1 0\nend\n", "what is no measurement"},
        {TRIPS "point within pingpong 65.5 1 1 1 1\nend\n", "what is no measurement"},
        {TRIPS "point within pingpong 1e300 1 1 1 1\nend\n", "what is no measurement"},
        {TRIPS "point within pingpong 65 1 1 1\nend\n", "what is no measurement"},
        {TRIPS "point nowhere pingpong 65 1 1 1 1\nend\n", "what is no measurement"},
        {TRIPS "point within a-name-that-is-longer-than-any 65 1 1 1 1\nend\n",
         "what is no measurement"},
        {TRIPS "threshold within 0\nend\n", "what is no measurement: threshold"},
        {TRIPS "point within pingpong 65 0 0 0 1\nend\n", "a round trip takes no time"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct messages messages;
        struct error error = {0};
        assert_int_equal(messages_parse(&messages, bad[i][0], &error), -1);
        assert_contains(error.text, bad[i][1]);
    }
}

TEST(several_starts_become_one) {
    struct messages all[] = {
        parse(TRIPS "point within isend 8 1e-7 1e-7 1e-7 10\nend\n"),
        parse("threshold within 257\npoint within pingpong 1 9e-7 5e-7 9e-7 20\n"
              "point within pingpong 8 4e-7 1e-7 9e-7 20\n"
              "point within pingpong 64 1e-7 1e-7 2e-7 20\nend\n"),
        parse("threshold within 257\npoint within pingpong 1 1e-7 1e-7 1e-7 20\n"
              "point within pingpong 8 1e-7 3e-7 3e-7 20\n"
              "point within pingpong 64 8e-7 8e-7 8e-7 20\n"
              "point within isend 8 3e-7 3e-7 3e-7 10\nend\n")};
    struct messages merged;
    messages_merge(&merged, all, 3);
    for (size_t i = 0; i < 3; i++)
        messages_dispose(&all[i]);
    const struct message_pair *within = &merged.pairs[MESSAGE_WITHIN];
    static const double medians[] = {3e-7, 3e-7, 5e-7};
    assert_int_equal(within->kinds[MESSAGE_PINGPONG].count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(within->kinds[MESSAGE_PINGPONG].items[i].median_s == medians[i]);
        assert_true(within->kinds[MESSAGE_PINGPONG].items[i].samples == 70);
    }
    assert_true(within->kinds[MESSAGE_PINGPONG].items[1].low_s == 2e-7);
    assert_true(within->kinds[MESSAGE_PINGPONG].items[1].high_s == 4e-7);
    /* Of a size that one start did not get to, the median of the others. */
    assert_true(within->kinds[MESSAGE_ISEND].items[0].median_s == (1e-7 + 3e-7) / 2);
    assert_true(within->measured && within->threshold_bytes == 257);
    messages_dispose(&merged);
}

TEST_WITH(files_come_back_as_they_were, directory_setup, directory_teardown) {
    struct error error = {0};
    struct messages written = parse(TRIPS "point within stream 8 1.25e-7 1e-7 2e-7 10\nend\n");
    struct messages read;
    written.machine = "here";
    written.host = "a \"host\"\n";
    written.cores = 3;
    assert_int_equal(messages_write(&written, test_path("m"), &error), 0);
    assert_int_equal(messages_read(&read, test_path("m"), &error), 0);
    assert_string_equal(read.machine, "here");
    assert_string_equal(read.host, "a \"host\"\n");
    assert_int_equal(read.cores, 3);
    for (int kind = 0; kind < MESSAGE_KIND_COUNT; kind++) {
        const struct message_points *one = &written.pairs[MESSAGE_WITHIN].kinds[kind];
        const struct message_points *other = &read.pairs[MESSAGE_WITHIN].kinds[kind];
        assert_int_equal(one->count, other->count);
        for (size_t i = 0; i < one->count; i++)
            assert_memory_equal(&one->items[i], &other->items[i], sizeof one->items[i]);
    }
    messages_dispose(&read);
    messages_dispose(&written);
}

/* Whatever a file holds, it is read or refused. */
TEST_WITH(damaged_files_do_no_harm, directory_setup, directory_teardown) {
    struct error error = {0};
    struct messages written = parse(TRIPS "end\n");
    struct random random;
    char original[4096], bytes[8192];
    assert_int_equal(messages_write(&written, test_path("m"), &error), 0);
    messages_dispose(&written);
    FILE *file = fopen(test_path("m"), "r");
    assert_non_null(file);
    size_t whole = fread(original, 1, sizeof original, file);
    fclose(file);
    random_seed(&random, 5);
    for (int trial = 0; trial < 2000; trial++) {
        struct messages messages;
        struct error refused = {0};
        size_t length = whole;
        memcpy(bytes, original, whole);
        damage(bytes, &length, &random);
        write_bytes(test_path("m"), bytes, length);
        if (messages_read(&messages, test_path("m"), &refused) == 0)
            messages_dispose(&messages);
        else
            assert_true(refused.set);
    }
}
