/* SPDX-License-Identifier: Apache-2.0
 *
 * Ordered connections (engine/flows/connections.c): who is ahead of whom, and when senders go on.
 */
#include "engine/flows/flow_parts.h"
#include "engine/flows/flows.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the four hosts, at 1e9 bytes a second: SimGrid's factors and TCP's habits are off. */
#define PROPERTY(key, value) "<prop id=\"" key "\" value=\"" value "\"/>"
#define ORDERED PROPERTY("connections", "ordered")

#define PLATFORM(properties)                                                                       \
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"      \
    "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">" properties                    \
    "<cluster id=\"c\" prefix=\"h\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" "           \
    "radical=\"8-11\"/></zone></platform>\n"

static const char *cross_traffic = "no";

static struct flows *flows_with(const char *platform, struct host_network **network) {
    const char *const settings[][2] = {{"smpi/bw-factor", "0:1"},
                                       {"smpi/lat-factor", "0:1"},
                                       {"network/crosstraffic", cross_traffic},
                                       {"network/TCP-gamma", "1e30"}};
    char path[] = "/tmp/test-connections-XXXXXX";
    struct error error = {0};
    struct flows *flows;
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(platform, file);
    fclose(file);
    assert_int_equal(host_network_load(network, path, &error), NETWORK_COVERED);
    unlink(path);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        assert_int_equal(host_network_set(*network, settings[i][0], settings[i][1], &error),
                         NETWORK_COVERED);
    assert_int_equal(flows_new(&flows, *network, &error), 0);
    return flows;
}

static struct flows *ordered_flows(struct host_network **network) {
    return flows_with(PLATFORM(ORDERED), network);
}

/* Starts a message between the ranks of the two hosts; *ends is set when it has ended. */
static void send_between(struct flows *flows, double now_s, uint32_t from, uint32_t to,
                         double bytes, double *ends) {
    const struct flow_message message = {from, to, from, to, bytes, bytes >= 1e6, now_s, -INFINITY};
    flows_start_message(flows, now_s, &message, ends);
}

static void run_until(struct flows *flows, double end_s) {
    double now_s;
    while ((now_s = flows_next_s(flows)) <= end_s && isfinite(now_s)) {
        double *ends;
        while ((ends = flows_ended(flows, now_s)) != NULL)
            *ends = now_s;
    }
}

#define NEAR_S 1e-6 /* messages take a thousand times that */

TEST(messages_of_a_connection_go_one_after_the_other) {
    struct host_network *network;
    struct flows *flows = ordered_flows(&network);
    double first = 0, second = 0, other = 0, alone_s = flows_exchange_s(flows, 0, 1, 9e5);
    double bytes_s = 9e5 / 1e9;
    send_between(flows, 0, 0, 1, 9e5, &first);
    send_between(flows, 0, 0, 1, 9e5, &second);
    run_until(flows, INFINITY);
    assert_float_equal(first, alone_s, NEAR_S);
    assert_float_equal(second, alone_s + bytes_s, NEAR_S);
    send_between(flows, 1, 0, 1, 9e5, &first); /* of two connections: they share the link */
    send_between(flows, 1, 0, 2, 9e5, &other);
    run_until(flows, INFINITY);
    assert_float_equal(first - 1, alone_s + bytes_s, NEAR_S);
    assert_float_equal(other - 1, alone_s + bytes_s, NEAR_S);
    flows_free(flows);
    host_network_free(network);
}

TEST(an_answer_goes_behind_what_its_sender_sends) {
    struct host_network *network;
    struct flows *flows = ordered_flows(&network);
    double there = 0, back = 0, alone_s = flows_exchange_s(flows, 0, 1, 1e7);
    send_between(flows, 0, 0, 1, 1e7, &there); /* both at once: both answers come before */
    send_between(flows, 0, 1, 0, 1e7, &back);
    run_until(flows, INFINITY);
    assert_float_equal(there, alone_s, NEAR_S);
    assert_float_equal(back, alone_s, NEAR_S);
    send_between(flows, 1, 0, 1, 1e7, &there);
    run_until(flows, 1 + alone_s / 2);
    send_between(flows, 1 + alone_s / 2, 1, 0, 1e7, &back); /* its answer waits */
    run_until(flows, INFINITY);
    assert_float_equal(there - 1, alone_s, NEAR_S);
    assert_float_equal(back - 1, 2 * alone_s, NEAR_S);
    flows_free(flows);
    host_network_free(network);
}

/* The receiver was in MPI when it heard of the message, and posts the receive later. */
TEST(who_has_heard_of_a_message_answers_before_it_announces) {
    for (int heard = 0; heard < 2; heard++) {
        struct host_network *network;
        struct flows *flows = ordered_flows(&network);
        double there = 0, back = 0, alone_s = flows_exchange_s(flows, 0, 1, 1e7);
        struct flow_message message = {0, 1, 0, 1, 1e7, true, 1, heard ? 2 : 1};
        flows_start_message(flows, 3, &message, &there);
        send_between(flows, 3, 1, 0, 1e7, &back);
        run_until(flows, INFINITY);
        assert_float_equal(there - 3, alone_s, NEAR_S);
        assert_float_equal(back - 3, heard ? 2 * alone_s : alone_s, NEAR_S);
        flows_free(flows);
        host_network_free(network);
    }
}

TEST(announcements_before_the_answer_are_answered) {
    struct host_network *network;
    struct flows *flows = ordered_flows(&network);
    double there = 0, back = 0, alone_s = flows_exchange_s(flows, 0, 1, 1e7);
    send_between(flows, 3, 1, 0, 1e7, &back);
    struct flow_message message = {0, 1, 0, 1, 1e7, true, 1, 2};
    flows_start_message(flows, 3, &message, &there);
    run_until(flows, INFINITY);
    assert_float_equal(there - 3, alone_s, NEAR_S);
    assert_float_equal(back - 3, alone_s, NEAR_S);
    flows_free(flows);
    host_network_free(network);
}

/* Two of one frame, and two of more, from one host to two others. */
TEST(messages_of_one_frame_leave_in_their_order) {
    struct host_network *network;
    struct flows *flows = flows_with(PLATFORM(ORDERED PROPERTY("frame", "900000")), &network);
    double first = 0, second = 0, alone_s = flows_exchange_s(flows, 0, 1, 9e5);
    double bytes_s = 9e5 / 1e9;
    send_between(flows, 0, 0, 1, 9e5, &first);
    send_between(flows, 0, 0, 2, 9e5, &second);
    run_until(flows, INFINITY);
    assert_float_equal(first, alone_s, NEAR_S);
    assert_float_equal(second, alone_s + bytes_s, NEAR_S);
    send_between(flows, 1, 0, 1, 9.1e5, &first);
    send_between(flows, 1, 0, 2, 9.1e5, &second);
    run_until(flows, INFINITY);
    assert_float_equal(first, second, NEAR_S);
    flows_free(flows);
    host_network_free(network);
}

/* Of 200,000 bytes: after each message, and until then nobody sends, however late he comes. */
TEST(headers_follow_each_frame) {
    struct host_network *network;
    struct flows *flows = flows_with(
        PLATFORM(ORDERED PROPERTY("frame", "900000") PROPERTY("headers", "200000")), &network);
    double first = 0, second = 0, third = 0, alone_s = flows_exchange_s(flows, 0, 1, 9e5);
    send_between(flows, 0, 0, 1, 9e5, &first);
    send_between(flows, 0, 0, 2, 9e5, &second);
    run_until(flows, alone_s + 1.2e-3);
    send_between(flows, alone_s + 1.2e-3, 0, 3, 9e5, &third);
    run_until(flows, INFINITY);
    assert_float_equal(first, alone_s, NEAR_S);
    assert_float_equal(second, alone_s + 1.1e-3, NEAR_S);
    assert_float_equal(third, alone_s + 2.2e-3, NEAR_S);
    send_between(flows, 1, 0, 3, 9e5, &third);
    run_until(flows, INFINITY);
    assert_float_equal(third, 1 + alone_s, NEAR_S);
    flows_free(flows);
    host_network_free(network);
}

/* The one that waits is taken away, and the one that sends. */
TEST(a_cancelled_message_leaves_the_card) {
    struct host_network *network;
    struct flows *flows = flows_with(PLATFORM(ORDERED PROPERTY("frame", "900000")), &network);
    double ends[3] = {0}, alone_s = flows_exchange_s(flows, 0, 1, 9e5), begin_s = alone_s - 9e-4;
    for (int gone = 0; gone < 2; gone++) {
        uint32_t number[3];
        for (uint32_t i = 0; i < 3; i++) {
            const struct flow_message message = {0, i + 1, 0, i + 1, 9e5, false, gone, -INFINITY};
            number[i] = flows_start_message(flows, gone, &message, &ends[i]);
        }
        run_until(flows, gone + begin_s + NEAR_S);
        flows_cancel(flows, gone + begin_s + NEAR_S, number[1 - gone]);
        run_until(flows, INFINITY);
        assert_float_equal(ends[2], gone + alone_s + 9e-4, 3 * NEAR_S);
    }
    flows_free(flows);
    host_network_free(network);
}

static double *told;

static void note_told(void *owner) {
    told = owner;
}

TEST(a_sender_goes_on_when_the_rest_is_buffered) {
    struct host_network *network;
    struct flows *flows =
        flows_with(PLATFORM(ORDERED PROPERTY("sender-buffer", "3000000")), &network);
    double there = 0, eager = 0, alone_s = flows_exchange_s(flows, 0, 1, 1e7);
    flows_tell_buffered(flows, note_told);
    send_between(flows, 0, 0, 1, 1e7, &there);
    run_until(flows, alone_s - 3.1e-3);
    assert_null(told);
    run_until(flows, alone_s - 2.9e-3);
    assert_ptr_equal(told, &there);
    run_until(flows, INFINITY);
    assert_float_equal(there, alone_s, NEAR_S);
    told = NULL;
    send_between(flows, 1, 0, 1, 9e5, &eager);
    run_until(flows, INFINITY);
    assert_null(told);
    flows_free(flows);
    host_network_free(network);
}

/* By up to a burst of a thousandth; alone, or eager, it is as ever. */
TEST(connections_of_a_card_end_a_burst_apart) {
    struct host_network *network;
    struct flows *flows = flows_with(PLATFORM(ORDERED PROPERTY("burst", "100000")), &network);
    double first = 0, second = 0, alone_s = flows_exchange_s(flows, 0, 1, 1e7);
    send_between(flows, 0, 0, 1, 1e7, &first);
    run_until(flows, INFINITY);
    assert_float_equal(first, alone_s, NEAR_S);
    send_between(flows, 1, 0, 1, 1e7, &first);
    send_between(flows, 1, 0, 2, 1e7, &second);
    run_until(flows, INFINITY);
    assert_float_equal(fmax(first, second), 1 + alone_s + 1e-2, NEAR_S);
    assert_true(fabs(first - second) > 1e-5 && fabs(first - second) < 2e-4);
    send_between(flows, 2, 0, 1, 9e5, &first);
    send_between(flows, 2, 0, 2, 9e5, &second);
    run_until(flows, INFINITY);
    assert_float_equal(first, second, NEAR_S);
    flows_free(flows);
    host_network_free(network);
}

/* However small a message is against a burst: of a link that two share it gets a third at least. */
TEST(a_burst_takes_a_half_of_a_message_at_most) {
    struct host_network *network;
    struct flows *flows = flows_with(PLATFORM(ORDERED PROPERTY("burst", "1e9")), &network);
    double first, second, alone_s = flows_exchange_s(flows, 0, 1, 1e7);
    for (int i = 0; i < 64; i++) {
        send_between(flows, i, 0, 1, 1e7, &first);
        send_between(flows, i, 0, 2, 1e7, &second);
        run_until(flows, INFINITY);
        assert_float_equal(fmax(first, second), i + alone_s + 1e-2, NEAR_S);
        assert_true(fmin(first, second) >= i + alone_s + 0.5e-2 - NEAR_S);
    }
    flows_free(flows);
    host_network_free(network);
}

/* Each one's acknowledgements share the other one's link: nobody is ahead. */
TEST(who_has_a_card_alone_is_not_ahead) {
    struct host_network *network;
    cross_traffic = "yes";
    struct flows *flows = flows_with(PLATFORM(ORDERED PROPERTY("burst", "100000")), &network);
    double there = 0, back = 0;
    send_between(flows, 0, 0, 1, 1e7, &there);
    send_between(flows, 0, 1, 0, 1e7, &back);
    run_until(flows, INFINITY);
    assert_float_equal(there, flows_exchange_s(flows, 0, 1, 1e7), NEAR_S);
    assert_float_equal(there, back, NEAR_S);
    flows_free(flows);
    host_network_free(network);
    cross_traffic = "no";
}

/* Two that share their link hold it back; more than it can carry, or less, is noticed. */
TEST(a_rate_that_is_no_share_is_noticed) {
    struct host_network *network;
    struct flows *flows = ordered_flows(&network);
    struct error error = {0};
    double ends = 0;
    send_between(flows, 0, 0, 1, 9e5, &ends);
    send_between(flows, 0, 0, 2, 9e5, &ends);
    double begin_s = flows_next_s(flows);
    assert_null(flows_ended(flows, begin_s));
    flows_next_s(flows);
    assert_int_equal(flows_check(flows, &error), 0);
    flows->flow[0].rate *=
        1.0001; /* of two: half as much on the link, which may be left unnoticed */
    assert_int_equal(flows_check(flows, &error), 0);
    flows->flow[0].rate *= 1.0002;
    assert_int_equal(flows_check(flows, &error), -1);
    assert_non_null(strstr(error.text, "carries"));
    flows->flow[0].rate /= 1.0006;
    error.set = false;
    assert_int_equal(flows_check(flows, &error), -1);
    assert_non_null(strstr(error.text, "nothing holds it back"));
    flows_free(flows);
    host_network_free(network);
}
