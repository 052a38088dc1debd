/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks as they are built: what a technology says of links, for what a description leaves open.
 *
 * In: the name of a technology (`technology = ethernet-10g`), perhaps with an MTU. Out: bandwidth
 * of a link as payload gets it, latency of a link, whether TCP acknowledges, from how many bytes on
 * a message waits for its receiver, and what messages of each size take beyond that: frames that a
 * switch stores before it sends them on, and the trip there and back of a message that waits.
 */
#pragma once

#include "base/str.h"
#include "simulator/network/network.h"

/* An unknown name is an error that lists the known ones. */
int technology_check(const char *name, struct error *error);

/* Fills in what the description does not give. Does nothing where it names no technology. */
void technology_fill_in(struct network *network);

/* Bytes of a packet. */
double technology_mtu(const struct network *network);

/* In SimGrid's form, for the network's bandwidth and latency as they are now. */
void technology_latency_factor(struct str *out, const struct network *network);
