/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of interruptions out of quanta of work that are made up, and their description.
 */
#include "support.h"

#include "base/str.h"
#include "simulator/noise/detours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536
#define QUANTUM_S 5e-6

/* Some 0.33 s of quanta, whose length varies by 2 %, and which are half longer in each other 50 ms,
 * as where somebody uses the second thread of the core. */
static double *make_quanta(void) {
    double *quanta = malloc(BLOCK * sizeof *quanta), now_s = 0;
    for (int i = 0; i < BLOCK; now_s += quanta[i++])
        quanta[i] = QUANTUM_S * (1 + 0.02 * (i % 7) / 7) * ((int)(now_s / 0.05) % 2 == 1 ? 1.5 : 1);
    return quanta;
}

/* Puts `cost_s` on the quanta that begin behind each multiple of the interval. */
static void interrupt(double *quanta, double interval_s, double cost_s) {
    double now_s = 0, next_s = interval_s / 3;
    for (int i = 0; i < BLOCK; i++) {
        double begin_s = now_s;
        if (begin_s >= next_s) {
            quanta[i] += cost_s;
            next_s += interval_s;
        }
        now_s += quanta[i];
    }
}

static struct interruptions learned(size_t *counts, double tick_s, double tick_cost_s,
                                    double other_s, double other_cost_s) {
    double *quanta = make_quanta();
    struct detours detours = {0}, other = {0};
    struct interruptions found;
    interrupt(quanta, tick_s, tick_cost_s);
    interrupt(quanta, other_s, other_cost_s);
    detours_add(&detours, quanta, BLOCK);
    detours_add(&other, quanta, BLOCK); /* another core */
    other.waited_s = other.measured_s * 0.001;
    detours_merge(&detours, &other);
    detours_sum_up(&found, counts, &detours);
    detours_dispose(&detours);
    detours_dispose(&other);
    free(quanta);
    return found;
}

TEST(ticks_and_daemons_are_told_apart) {
    size_t counts[INTERRUPTION_KINDS_MAX];
    struct interruptions found = learned(counts, 4e-3, 12e-6, 31e-3, 900e-6);
    assert_int_equal(found.count, 2);
    assert_within(found.kinds[0].interval_s, 4e-3, 0.05);
    assert_within(found.kinds[0].cost_s, 12e-6, 0.05);
    assert_true(found.kinds[0].variation < 0.3); /* some are missed where speeds change */
    assert_within(found.kinds[1].interval_s, 31e-3, 0.1);
    assert_within(found.kinds[1].cost_s, 900e-6, 0.01);
    assert_true(counts[0] >= 160 && counts[1] >= 20);
    assert_within(interruptions_share(&found), 0.003 + 0.029, 0.1);
    assert_within(found.held, interruptions_share(&found) - 0.0005, 0.01);
}

TEST(slower_times_are_no_interruptions) {
    size_t counts[INTERRUPTION_KINDS_MAX];
    double *quanta = make_quanta();
    struct detours detours = {0};
    struct interruptions found;
    detours_add(&detours, quanta, BLOCK);
    detours_sum_up(&found, counts, &detours);
    assert_true(interruptions_share(&found) < 2e-3); /* where such a time begins or ends */
    detours_dispose(&detours);
    free(quanta);
}

TEST(nothing_measured_is_no_noise) {
    size_t counts[INTERRUPTION_KINDS_MAX];
    struct detours detours = {0};
    struct interruptions found;
    detours_add(&detours, NULL, 0);
    detours_sum_up(&found, counts, &detours);
    assert_int_equal(found.count, 0);
    assert_true(found.held == 0);
}

TEST(what_is_written_is_read) {
    struct error error = {0};
    struct str text = {0};
    struct interruptions back, wanted = {.kinds = {{4e-3, 12.5e-6, 0.25}, {2, 3e-3, 1}},
                                         .count = 2,
                                         .held = 12.5e-6 / 4e-3 + 15e-4};
    interruptions_write(&text, &wanted);
    assert_string_equal(text.text, "interruption = 4ms 12.5us 0.25\ninterruption = 2s 3ms 1\n"
                                   "held = 0.4625%\n");
    assert_fine(interruptions_parse(&back, text.text, "x", &error), &error);
    assert_int_equal(back.count, 2);
    assert_within(back.kinds[1].cost_s, 3e-3, 1e-12);
    assert_within(back.held, wanted.held, 1e-3);
    str_dispose(&text);
}

/* Whatever the text, it is refused with a place, or what comes out can be simulated. */
TEST(any_text_is_read_or_refused) {
    static const char valid[] =
        "# x\ninterruption = 4ms 12us 0.25\ninterruption=2s 3ms\nheld = 0.4%\n";
    static const char bytes[] = "=#%.0-e9ms \n\xff\x01";
    unsigned seed = 1;
    for (int turn = 0; turn < 20000; turn++) {
        char text[sizeof valid];
        struct error error = {0};
        struct interruptions read;
        memcpy(text, valid, sizeof valid);
        for (int k = 0; k <= turn % 4; k++) {
            seed = seed * 1103515245u + 12345u;
            text[seed / 65536 % (sizeof valid - 1)] = bytes[seed % (sizeof bytes - 1)];
        }
        if (interruptions_parse(&read, text, "x", &error) != 0)
            assert_true(strncmp(error.text, "x:", 2) == 0 &&
                        strstr(error.text, ":1: error: ") != NULL);
        else
            assert_true(interruptions_share(&read) <= INTERRUPTIONS_SHARE_MOST && read.held >= 0 &&
                        read.count <= INTERRUPTION_KINDS_MAX);
    }
}
