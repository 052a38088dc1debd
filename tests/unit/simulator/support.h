/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of simulator/ share: an application compiled with smpicc.
 */
#pragma once

#include "tests/unit/unit.h"

/* Compiles application.c with smpicc; `definition` is a -D option or NULL. */
void compile_application(const char *program, const char *definition);
