/* SPDX-License-Identifier: Apache-2.0
 *
 * How well a network description predicts the measurements that it was made of: the program that
 * measured is simulated under SMPI, as `mpiskel run --network FILE` simulates programs, and what it
 * measures there is compared with what it measured here.
 */
#pragma once

#include "model/network/messages.h"

/* Of one kind of one pair. */
struct message_errors {
    size_t count;         /* of sizes that both have; 0: nothing to compare */
    double median, worst; /* of the relative errors, absolute */
    double worst_bytes;
};

/* Simulates all pairs that were measured, with the same sizes; *out is the caller's
 * (messages_dispose). `directory` is for what it needs meanwhile. */
int network_simulate(struct messages *out, const struct messages *measured,
                     const char *description_file, const char *directory, struct arena *arena,
                     struct error *error);

/* (predicted - measured) / measured of a point. */
double message_error(const struct message_point *measured, const struct message_point *predicted);

struct message_errors message_errors_of(const struct message_points *measured,
                                        const struct message_points *predicted);

/* What the transfers of the pair between nodes, or else within one, are off by: of round trips,
 * exchanges, streams and rings the standard deviation of the logarithm of predicted / measured, and
 * of these the root of the mean square. 0: there is nothing to compare. */
double message_deviation(const struct messages *measured, const struct messages *predicted);

/* Of all round trips, of both pairs: what the calibration is judged by. */
struct message_errors message_errors_overall(const struct messages *measured,
                                             const struct messages *predicted);
