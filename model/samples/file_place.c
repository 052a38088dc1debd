/* SPDX-License-Identifier: Apache-2.0
 *
 * One form for the errors of readers; see file_place.h.
 */
#include "model/samples/file_place.h"

int place_fail(const struct file_place *place, struct error *error, const char *what) {
    if (place->line == 0)
        return error_set(error, "%s: error: %s; %s", place->path, what, place->advice);
    return error_set(error, "%s:%ld: error: %s; %s", place->path, place->line, what, place->advice);
}
