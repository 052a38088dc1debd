/* SPDX-License-Identifier: Apache-2.0
 *
 * How a command writes its report: the value of --format.
 */
#ifndef BASE_OUTPUT_FORMAT_H
#define BASE_OUTPUT_FORMAT_H

enum output_format { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV };

#endif
