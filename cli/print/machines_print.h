/* SPDX-License-Identifier: Apache-2.0
 *
 * What `mpiskel machines` prints on the standard output.
 */
#pragma once

#include "model/samples/region.h"
#include "model/store/store_machines.h"

void machines_print_text(const struct machines *machines, const struct regions *regions);
void machines_print_json(const struct machines *machines, const struct regions *regions);

void machine_print_text(const struct machine *machine, const struct regions *regions);
void machine_print_json(const struct machine *machine, const struct regions *regions);
