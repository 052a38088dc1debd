/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of a counted machine as if it were another processor: its samples, told again
 * (model/samples/told_again.h) and fitted anew. Nothing is written.
 */
#ifndef SIMULATOR_CHANGES_OTHER_PROCESSOR_H
#define SIMULATOR_CHANGES_OTHER_PROCESSOR_H

#include "base/error.h"
#include "model/latency/latency.h"
#include "model/processor/processor.h"
#include "simulator/run/bundle.h"

int other_processor_read(struct processor *out, const char *file, struct error *error);

/* `machine` is one of the bundle's store, `file` describes the processor. *out is the caller's
 * (models_dispose); -1: nothing is to be disposed. */
int other_processor_fit(struct models *out, const struct bundle *bundle, const char *machine,
                        const char *file, struct error *error);

#endif
