/* SPDX-License-Identifier: Apache-2.0
 *
 * How malloc behaves in originals, as variables of their environment.
 */
#pragma once

/* "NAME=VALUE", ended by NULL: so that blocks are mapped from the size on from which they are on a
 * real rank. None where the user has chosen something, since real ranks have it as well. */
const char *const *malloc_settings(void);
