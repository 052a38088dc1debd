/* SPDX-License-Identifier: Apache-2.0
 *
 * A macro, for all that follows.
 */
#define ROWS 20
