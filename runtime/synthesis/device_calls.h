/* SPDX-License-Identifier: Apache-2.0
 *
 * What a synthesised program asks of devices, in simulated time. Of a rank; zeroes at first.
 */
#pragma once

#include "synthesis/eval/synth_actions.h"

struct bsim__device_calls {
    struct synthesised_queue *queues;
    int queue_count;
    struct device_operation **recent; /* a ring, by number */
    long long count;                  /* operations so far */
    void **after;                     /* that the next one waits for */
    int after_count, after_capacity;
};

/* The call; `takes_s` of an operation: what the device takes. */
void bsim__device_call(struct bsim__device_calls *calls, const struct synth_action *action,
                       double takes_s);
