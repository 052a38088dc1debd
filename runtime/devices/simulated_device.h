/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices of a simulation: one for each rank, or shared by so many (BSIM_RANKS_PER_DEVICE), with so
 * many engines (BSIM_DEVICE_ENGINES). What operations and the host's part in them take, models of
 * the bundle tell; while calls are compared nothing takes time.
 */
#pragma once

#include "runtime/devices/device_queues.h"
#include "runtime/operations/asked_operation.h"

/* A queue of the rank's device. */
struct device_queue *bsim__simulated_queue(bool is_in_order);

/* The host enqueues it; the caller has a reference, and traces the call. */
struct device_operation *bsim__simulated_operation(const struct bsim__operation *what,
                                                   struct device_queue *queue);

/* The same, of one that takes so long; the caller traces nothing. */
struct device_operation *bsim__simulated_timed(const struct bsim__operation *what,
                                               struct device_queue *queue, double takes_s);

/* The host waits until it has ended, or all of the queue's. Gives how long it slept until then. */
double bsim__simulated_wait(struct device_operation *operation);
double bsim__simulated_finish(struct device_queue *queue);

/* What the model of a place says of one more execution, which the rank does not compute. */
struct bsim_stub;
double bsim__simulated_latency_s(struct bsim_stub *stub, const double *values);

/* Now, with all that the rank has computed. */
double bsim__simulated_now_s(void);
