/* SPDX-License-Identifier: Apache-2.0
 *
 * For code_included_into_a_body.c.
 */
STEP(3, 0)
STEP(5, 1)
STEP(8, 0)
