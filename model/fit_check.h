/* SPDX-License-Identifier: Apache-2.0
 *
 * The invariants of fitted models (README.md, "What always holds").
 */
#pragma once

#include "model/latency/latency.h"

/* 0, or -1 with the first thing that does not hold. */
int fit_check(const struct models *models, struct error *error);
