/* SPDX-License-Identifier: Apache-2.0
 *
 * How a command writes its report: the value of --format.
 */
#pragma once

enum output_format { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV };
