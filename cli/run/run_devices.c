/* SPDX-License-Identifier: Apache-2.0
 *
 * Options into settings of the launch and lines of the report.
 */
#include "cli/run/run_devices.h"

#include <stdio.h>

void devices_apply(struct launch *launch, struct scenario *scenario,
                   const struct run_options *options) {
    char number[32];
    launch->device_engines = options->device_engines;
    launch->ranks_per_device = options->ranks_per_device;
    snprintf(number, sizeof number, "%ld", options->device_engines);
    if (options->device_engines > 0)
        scenario_add(scenario, "--device-engines", number, "engines of a device");
    snprintf(number, sizeof number, "%ld", options->ranks_per_device);
    if (options->ranks_per_device > 0)
        scenario_add(scenario, "--ranks-per-device", number, "ranks share a device");
    launch->devices_block = options->devices_block;
    if (options->devices_block)
        scenario_add(scenario, "--devices-block", "", "hosts wait for each operation of a device");
}
