/* SPDX-License-Identifier: Apache-2.0
 *
 * What commands that predict begin with where profiling runs spent much of their time in code that
 * takes none in predictions (model/findings/unexplained.h).
 */
#pragma once

#include "model/findings/unexplained.h"

/* One line on stderr about the profiling runs of a machine (NULL: that of the model); nothing where
 * there is nothing to tell. What it comes to is given back, without a site. */
struct unexplained unexplained_note(const char *bundle, const char *machine);
