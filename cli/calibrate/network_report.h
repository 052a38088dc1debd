/* SPDX-License-Identifier: Apache-2.0
 *
 * What a calibration of the network found, as text for people and as JSON; and as a network
 * description (docs/how-to/calibrate.md).
 */
#ifndef CLI_CALIBRATE_NETWORK_REPORT_H
#define CLI_CALIBRATE_NETWORK_REPORT_H

#include "base/str.h"
#include "model/network/network_fit.h"

struct network_report {
    const struct messages *measured, *predicted; /* predicted NULL: not simulated yet */
    const struct network_fit *fit;
};

void network_report_print(const struct network_report *report);
void network_report_print_json(const struct network_report *report);

/* The description, for `run --network FILE`. */
void network_describe(struct str *out, const struct network_report *report);

#endif
