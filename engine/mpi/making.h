/* SPDX-License-Identifier: Apache-2.0
 *
 * Making communicators, with the messages that it takes in SMPI.
 *
 * A communicator is one object for all its ranks. The first of them makes it; the others learn its
 * number by the broadcast with which SMPI's ranks agree on one.
 */
#pragma once

#include "engine/objects/communicator.h"

/* Collective among the members of the group, whose use by the caller, and whose grid (or NULL), it
 * takes over. */
struct SMPI_Comm *making_communicator(struct SMPI_Group *group, struct cartesian *grid);

/* Collective among the ranks of the communicator: those that give the same colour get the same
 * group, in the order of their keys. NULL: the rank is in none. */
struct SMPI_Group *making_split(struct SMPI_Comm *comm, int color, int key);

/* Likewise, of those that share the host of the current rank; without messages. */
struct SMPI_Comm *making_on_host(struct SMPI_Comm *comm);
