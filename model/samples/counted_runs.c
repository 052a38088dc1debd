/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine has runs of one clock (model/store), so that the first one stands for all.
 */
#include "model/samples/sample.h"

#include "base/str.h"

#include <string.h>

bool run_is_counted(const struct run *run) {
    return run->clock != NULL && text_has_prefix(run->clock, "counted");
}

bool samples_are_counted(const struct samples *samples) {
    return samples->run_count > 0 && samples->runs != NULL && run_is_counted(&samples->runs[0]);
}

bool samples_have_caches(const struct samples *samples) {
    return !samples_are_counted(samples) || strstr(samples->runs[0].clock, "cache ") != NULL ||
           strstr(samples->runs[0].clock, "memory ") != NULL;
}
