/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled by itself, which is what is called, and included with another name, which nobody calls.
 */
#ifndef LIMIT
#define LIMIT limited
#endif
int LIMIT(int n);

int LIMIT(int n) {
    return n > 90 ? 90 : n;
}
