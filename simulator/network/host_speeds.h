/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts that compute at different speeds. Latencies were learned on one machine: they are those of
 * the platform's fastest hosts, and ranks on others take as much longer as these are slower.
 *
 * In: the platform's hosts with their speeds, and the hostfile with a line for each rank. Out: a
 * file with a factor for each rank, of HOST_FACTOR_BYTES bytes each, which the runtime in skeletons
 * reads (BSIM_HOST_FACTORS). Not handled: speeds that change during the run (speed_file), and hosts
 * of platforms that are shared objects.
 */
#pragma once

#include "simulator/network/hosts.h"

/* *out: NULL if all hosts are alike, or speeds are not known; also prints which ones are not. */
int host_speeds_write(const char **out, const struct host_list *known, const char *host_file,
                      const char *path, struct error *error);
