/* SPDX-License-Identifier: Apache-2.0
 *
 * Datatypes that ranks have described alike are one object for all of them, as communicators are:
 * ranks describe the same halos, and a million copies of these would be a sixth of the memory.
 *
 * A datatype is compared with what another rank has made last by as many calls: two that one rank
 * makes are never one. Attributes and names have the rank whose they are.
 */
#pragma once

#include "engine/objects/datatype.h"

/* Of a datatype that the current rank has just made, with its contents: itself, or the one that
 * stands for it, with a user more. Takes it over. */
struct SMPI_Datatype *datatype_shared(struct SMPI_Datatype *fresh);
