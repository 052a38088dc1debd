/* SPDX-License-Identifier: Apache-2.0
 *
 * Options into settings of the launch and lines of the report.
 */
#include "cli/run/run_devices.h"

#include "simulator/devices/device_description.h"

#include <stdio.h>

static int apply_description(struct launch *launch, struct scenario *scenario, const char *path,
                             struct arena *arena, struct error *error) {
    struct device_description description;
    if (device_description_read(&description, path, error) != 0)
        return -1;
    launch->device = device_description_setting(arena, &description);
    launch->device_engines = description.engines;
    scenario_add(scenario, "--device", path,
                 "a device with its engines, launches and copies; kernels, "
                 "set-up, and what compiling adds to first launches, are as in profiling runs");
    return 0;
}

int devices_apply(struct launch *launch, struct scenario *scenario,
                  const struct run_options *options, struct arena *arena, struct error *error) {
    char number[32];
    if (options->device != NULL &&
        apply_description(launch, scenario, options->device, arena, error) != 0)
        return -1;
    if (options->device_engines > 0)
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
    return 0;
}
