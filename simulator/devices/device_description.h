/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device takes for things that are no kernel, as `mpiskel calibrate --device` wrote it: a
 * short text of lines KEY = VALUE (docs/how-to/devices.md), and the setting that skeletons take.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#include <stdbool.h>

enum device_part {
    DEVICE_ENQUEUE,
    DEVICE_LAUNCH,
    DEVICE_GAP,
    DEVICE_WAKE,
    DEVICE_LONG_WAKE,
    DEVICE_COPY_TO,
    DEVICE_COPY_FROM,
    DEVICE_PARTS
};

struct device_description {
    int engines; /* 1 to 3; 0: not told */
    struct {
        bool is_known;
        double seconds, seconds_per_byte; /* the latter of copies */
    } parts[DEVICE_PARTS];
};

const char *device_part_name(enum device_part part);

/* Errors have the line, and say what to write there. */
int device_description_read(struct device_description *out, const char *path, struct error *error);
void device_description_write(struct str *out, const struct device_description *description);

/* "launch=2e-05 0;copy to=1e-06 1e-10": BSIM_DEVICE. */
const char *device_description_setting(struct arena *arena,
                                       const struct device_description *description);
