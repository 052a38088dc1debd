/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/command_option.h"

#include "base/str.h"

#include <string.h>

struct command_option command_option_complete(const struct command_option *row) {
    struct command_option out = *row;
    const struct command_option *common = common_option(row->common);
    if (common == NULL)
        return out;
    out.name = common->name;
    out.take = common->take;
    if (out.letter == '\0')
        out.letter = common->letter;
    if (out.value == NULL)
        out.value = common->value;
    if (out.help == NULL)
        out.help = common->help;
    if (out.unit == NULL)
        out.unit = common->unit;
    if (out.least == 0)
        out.least = common->least;
    if (out.most == 0)
        out.most = common->most;
    return out;
}

int command_option_set(void *options, const struct command_option *option, const char *text,
                       struct error *error) {
    void *out = (char *)options + option->at;
    return option->own != NULL ? option->own(out, text, error)
                               : option->take(out, option, text, error);
}

/* Else it is a heading, a set or the end. */
static bool command_option_is_option(const struct command_option *row) {
    return row->common != COMMON_NONE || row->name != NULL || row->letter != '\0';
}

bool command_option_is_end(const struct command_option *row) {
    return !command_option_is_option(row) && !row->begins_group;
}

struct command_option command_option_find(const struct command_option *rows, const char *name,
                                          size_t length) {
    for (; !command_option_is_end(rows); rows++) {
        struct command_option one = command_option_complete(rows);
        if (one.name != NULL && strlen(one.name) == length && strncmp(one.name, name, length) == 0)
            return one;
    }
    return (struct command_option){0};
}

bool command_option_opposite(struct command_option *out, struct arena *arena,
                             const struct command_option *option) {
    bool is_on = option->take == option_take_on;
    if (option->name == NULL || (!is_on && option->take != option_take_off))
        return false;
    *out = *option;
    out->letter = '\0';
    out->take = is_on ? option_take_off : option_take_on;
    out->name = text_has_prefix(option->name, "no-") ? option->name + strlen("no-")
                                                     : arena_printf(arena, "no-%s", option->name);
    return true;
}
