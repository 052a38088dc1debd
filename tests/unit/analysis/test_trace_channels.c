/* SPDX-License-Identifier: Apache-2.0
 *
 * Which message is which, and what each of its ends knows of the other.
 */
#include "analysis/writer/trace_channels.h"
#include "tests/unit/unit.h"

#define UNTOUCHED (-1)

static const struct trace_channel_key key = {.sender = 0, .receiver = 1, .tag = 7};

TEST(each_end_knows_when_the_other_one_began) {
    struct trace_channels *channels = trace_channels_new(true);
    int64_t bytes = UNTOUCHED;
    struct trace_channel_message sent = trace_channels_send(channels, &key, 100, 8);
    assert_int_equal(trace_channels_posted_ns(sent), TRACE_UNKNOWN_NS);
    struct trace_channel_message posted = trace_channels_post(channels, &key, 250);
    assert_int_equal(posted.number, sent.number);
    assert_int_equal(trace_channels_posted_ns(sent), 250);
    assert_int_equal(trace_channels_sent_ns(posted, &bytes), 100);
    assert_int_equal(bytes, 8);
    trace_channels_free(channels);
}

TEST(a_receive_knows_nothing_of_a_message_that_is_not_sent) {
    struct trace_channels *channels = trace_channels_new(true);
    int64_t bytes = UNTOUCHED;
    struct trace_channel_message none = trace_channels_next(channels, &key);
    assert_int_equal(none.number, 0);
    assert_int_equal(trace_channels_sent_ns(none, &bytes), TRACE_UNKNOWN_NS);
    struct trace_channel_message posted = trace_channels_post(channels, &key, 50);
    assert_int_equal(trace_channels_sent_ns(posted, &bytes), TRACE_UNKNOWN_NS);
    assert_int_equal(bytes, UNTOUCHED);
    trace_channels_send(channels, &key, 70, 16);
    assert_int_equal(trace_channels_sent_ns(posted, &bytes), 70);
    assert_int_equal(bytes, 16);
    trace_channels_free(channels);
}

/* Ends that ask no more let the ring shrink; numbers go on. */
TEST(messages_of_a_channel_arrive_in_the_order_in_which_they_are_sent) {
    struct trace_channels *channels = trace_channels_new(true);
    struct trace_channel_message sent[20];
    int64_t bytes = UNTOUCHED;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++)
            sent[i] = trace_channels_send(channels, &key, 100 * round + i, i);
        for (int i = 0; i < 20; i++) {
            struct trace_channel_message next = trace_channels_next(channels, &key);
            struct trace_channel_message posted = trace_channels_post(channels, &key, 500);
            assert_int_equal(posted.number, sent[i].number);
            assert_int_equal(posted.number, next.number);
            assert_int_equal(trace_channels_sent_ns(posted, &bytes), 100 * round + i);
            assert_int_equal(bytes, i);
            trace_channels_received(posted);
            trace_channels_sent(sent[i]);
        }
    }
    trace_channels_free(channels);
}

TEST(a_receive_that_is_cancelled_takes_no_message) {
    struct trace_channels *channels = trace_channels_new(true);
    int64_t bytes = UNTOUCHED;
    trace_channels_unpost(trace_channels_post(channels, &key, 10));
    struct trace_channel_message sent = trace_channels_send(channels, &key, 100, 8);
    assert_int_equal(trace_channels_posted_ns(sent), TRACE_UNKNOWN_NS);
    assert_int_equal(trace_channels_sent_ns(trace_channels_post(channels, &key, 200), &bytes), 100);
    assert_int_equal(trace_channels_posted_ns(sent), 200);
    trace_channels_free(channels);
}

/* Where ranks are processes, each counts for itself. */
TEST(ends_in_different_processes_count_alike) {
    struct trace_channels *senders = trace_channels_new(false);
    struct trace_channels *receivers = trace_channels_new(false);
    for (int i = 0; i < 10; i++)
        assert_int_equal(trace_channels_send(senders, &key, i, 8).number,
                         trace_channels_post(receivers, &key, i).number);
    trace_channels_free(senders);
    trace_channels_free(receivers);
}
