/* SPDX-License-Identifier: Apache-2.0
 *
 * What an array holds.
 */
3, 5, 7, 11,
