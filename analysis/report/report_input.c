/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/report_input.h"

#include <math.h>

double input_number(const json_t *object, const char *member) {
    return json_get_number(object, member, NAN);
}

const char *input_text(const json_t *object, const char *member) {
    const char *text = json_get_text(object, member);
    return text != NULL ? text : "";
}

const char *input_place(struct arena *arena, const json_t *object) {
    const char *file = input_text(object, "file");
    return file[0] == '\0'
               ? ""
               : arena_printf(arena, "%s:%lld", file, json_get_integer(object, "line", 0));
}
