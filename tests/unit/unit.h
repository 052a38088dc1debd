/* SPDX-License-Identifier: Apache-2.0
 *
 * cmocka, behind the headers that it needs.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
