/* SPDX-License-Identifier: Apache-2.0
 *
 * SMPI's settings that are about messages, with its defaults.
 */
#pragma once

#include "engine/network/piecewise.h"

#include <stdbool.h>

struct message_settings {
    size_t eager_bytes; /* smpi/send-is-detached-thresh: from so many bytes on a send waits */
    size_t
        early_bytes; /* smpi/async-small-thresh: smaller ones are sent before they are expected */
    double test_s, probe_s, clock_s;
    bool grows; /* smpi/grow-injected-times */
    struct piecewise send, nonblocking_send, receive;
};

extern struct message_settings message_settings;

/* Sends and receives never take time of their rank, so that it waits for nothing but their ends. */
static inline bool messages_take_no_time(void) {
    return message_settings.send.count + message_settings.nonblocking_send.count +
               message_settings.receive.count + message_settings.early_bytes ==
           0;
}

/* In seconds, of a message of so many bytes: the first piece holds below its own size as well. */
double message_cost_s(const struct piecewise *pieces, size_t bytes);
