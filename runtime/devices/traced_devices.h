/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices in the trace of a simulation; without a trace all of it does nothing.
 */
#pragma once

#include "runtime/devices/device_queues.h"
#include "runtime/operations/asked_operation.h"

/* What the trace says of an operation, for its `note`; NULL: there is no trace. */
void *bsim__traced_note_of(const struct bsim__operation *what);
/* For `begun` of devices. */
void bsim__traced_begun(const struct device_operation *operation);

/* The rank was in a call of the device's library since then. */
void bsim__traced_host_call(const char *function, const void *queue, double bytes, double begin_s,
                            double waited_s);
