/* SPDX-License-Identifier: Apache-2.0
 *
 * Each unit has a length of its own.
 */
static int length;
