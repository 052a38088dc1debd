/* SPDX-License-Identifier: Apache-2.0
 *
 * Spec files of sweeps; see sweep_options.h.
 *
 * In: lines `NAME VALUE`, NAME being an option without its dashes, `bundle` or `arguments`; `#`
 * begins a comment at the beginning of a line or behind a blank. Out: the same options as on the
 * command line. A value may stand in quotes. File names count from the directory of the spec.
 */
#include "cli/sweep/sweep_options.h"

#include "base/file.h"
#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct spec {
    struct sweep_options *options;
    const char *path;
    size_t line;
    VEC(const char *) arguments, run_options; /* those of the command line come after */
};

/* Where the comment begins, or the line ends; quotes hide a `#`. */
static size_t comment_at(const char *line) {
    char quote = '\0';
    size_t i = 0;
    for (; line[i] != '\0'; i++) {
        if (quote != '\0')
            quote = line[i] == quote ? '\0' : quote;
        else if (line[i] == '\'' || line[i] == '"')
            quote = line[i];
        else if (line[i] == '#' && (i == 0 || isspace((unsigned char)line[i - 1])))
            break;
    }
    return i;
}

/* Without the comment and the blanks around. */
static char *trim(char *line) {
    line[comment_at(line)] = '\0';
    line += strspn(line, " \t\r");
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    return line;
}

static int fail(const struct spec *spec, struct error *error, const char *what) {
    struct error located = {0};
    error_set(&located, "%s:%zu:1: error: %s", spec->path, spec->line, what);
    *error = located;
    return -1;
}

static bool is_name(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)text[i]) && text[i] != '-' &&
            !(i > 0 && isdigit((unsigned char)text[i])))
            return false;
    return length > 0 && text[0] != '-';
}

static int take_setting(struct spec *spec, const char *name, const char *value,
                        struct error *error) {
    struct sweep_options *options = spec->options;
    struct error why = {0};
    if (strcmp(name, "bundle") == 0) {
        const char *here = path_directory(&options->arena, spec->path);
        options->bundle = path_absolute(&options->arena, here, value);
        return value[0] != '\0' ? 0 : fail(spec, error, "bundle: which one?");
    }
    if (strcmp(name, "store") == 0 && value[0] != '\0')
        value = path_absolute(&options->arena, path_directory(&options->arena, spec->path), value);
    int result = sweep_option_set(options, name, value, &why);
    if (result < 0)
        return fail(spec, error, why.text);
    if (result > 0)
        vec_push(&options->run_options, value[0] != '\0'
                                            ? arena_printf(&options->arena, "--%s=%s", name, value)
                                            : arena_printf(&options->arena, "--%s", name));
    return 0;
}

/* A value in quotes, as a shell would hand it over. Arguments are words, with quotes of their own.
 */
static int take_quotes(const char **value, struct spec *spec, const char *name,
                       struct error *error) {
    const char *const *words = NULL;
    size_t count = 0;
    struct error why = {0};
    if (((*value)[0] != '\'' && (*value)[0] != '"') || strcmp(name, "arguments") == 0)
        return 0;
    if (words_split(&words, &count, &spec->options->arena, *value, &why) != 0)
        return fail(spec, error, why.text);
    if (count == 1)
        *value = words[0];
    return 0;
}

static int take_line(struct spec *spec, char *line, struct error *error) {
    char *text = trim(line);
    size_t length = strcspn(text, " \t=");
    if (text[0] == '\0')
        return 0;
    if (!is_name(text, length))
        return fail(spec, error, "a line begins with the name of an option, without dashes");
    const char *name = arena_strndup(&spec->options->arena, text, length);
    text += length;
    text += strspn(text, " \t");
    if (*text == '=')
        text += 1 + strspn(text + 1, " \t");
    const char *value = text;
    return take_quotes(&value, spec, name, error) == 0 ? take_setting(spec, name, value, error)
                                                       : -1;
}

/* The options of `run` and the arguments from the command line go behind, or instead. */
static void restore(struct spec *spec) {
    struct sweep_options *options = spec->options;
    for (size_t i = 0; i < spec->run_options.count; i++)
        vec_push(&options->run_options, spec->run_options.items[i]);
    if (spec->arguments.count > 0)
        options->arguments.count = 0;
    for (size_t i = 0; i < spec->arguments.count; i++)
        vec_push(&options->arguments, spec->arguments.items[i]);
    vec_dispose(&spec->run_options);
    vec_dispose(&spec->arguments);
}

static void put_aside(struct spec *spec) {
    struct sweep_options *options = spec->options;
    for (size_t i = 0; i < options->run_options.count; i++)
        vec_push(&spec->run_options, options->run_options.items[i]);
    for (size_t i = 0; i < options->arguments.count; i++)
        vec_push(&spec->arguments, options->arguments.items[i]);
    options->run_options.count = options->arguments.count = 0;
}

int sweep_spec_read(struct sweep_options *options, const char *path, struct error *error) {
    struct spec spec = {.options = options, .path = path};
    char *text = NULL, *rest = NULL;
    size_t length = 0;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    int result = strlen(text) == length ? 0 : fail(&spec, error, "this is no text");
    put_aside(&spec);
    options->spec = path;
    for (rest = text; rest != NULL && *rest != '\0' && result == 0;) {
        char *line = strsep(&rest, "\n");
        spec.line++;
        result = take_line(&spec, line, error);
    }
    restore(&spec);
    free(text);
    spec.line = 1;
    if (result == 0 && options->bundle == NULL)
        result = fail(&spec, error, "there is no line `bundle APP.skel`");
    return result;
}
