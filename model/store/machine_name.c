/* SPDX-License-Identifier: Apache-2.0 */
#include "model/store/machine_name.h"

#include <string.h>

bool machine_is_name(const char *name) {
    size_t length = strlen(name);
    return length > 0 && length <= 64 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
               length;
}
