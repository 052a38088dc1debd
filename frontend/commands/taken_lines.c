/* SPDX-License-Identifier: Apache-2.0
 *
 * `gcc -E -fdirectives-only -dI` prints what it takes, line by line as written, macros unexpanded,
 * #define and #include among it, and tells files and lines by `# 12 "file.h"`. The directories of
 * the parser's headers stand in front of the command's options, so that both see the same mpi.h.
 *
 * Not handled: lines that #line numbers anew.
 */
#include "frontend/commands/taken_lines.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

struct taken_file {
    VEC(bool) lines; /* by number */
};

static void take(struct taken_file *file, int line) {
    while ((int)file->lines.count <= line)
        vec_push(&file->lines, false);
    file->lines.items[line] = true;
}

/* `# LINE "PATH"`, where quotes and backslashes are escaped; false: it is something else. */
static bool read_marker(const char *text, struct str *path, int *line) {
    char *at;
    if (text[0] != '#' || text[1] != ' ')
        return false;
    *line = (int)strtol(text + 2, &at, 10);
    if (at == text + 2 || at[0] != ' ' || at[1] != '"')
        return false;
    path->length = 0;
    for (at += 2; *at != '"' && *at != '\n' && *at != '\0'; at++) {
        at += *at == '\\';
        str_addc(path, *at);
    }
    return true;
}

static struct taken_file *file_of(struct taken_lines *out, struct arena *arena,
                                  const struct compile_command *command, const char *path) {
    const char *absolute = path_absolute(arena, command->directory, path);
    return hash_table_add_text(&out->files, absolute, sizeof(struct taken_file));
}

static void read_lines(struct taken_lines *out, struct arena *arena,
                       const struct compile_command *command, const char *text) {
    struct str path = {0};
    struct taken_file *file = NULL;
    int line = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (read_marker(text, &path, &line)) {
            file = file_of(out, arena, command, str_text(&path));
            line--;
        } else if (file != NULL && strspn(text, " \t\r\f\v") < length) {
            take(file, line);
        }
        line++;
        text += length + (text[length] == '\n');
    }
    str_dispose(&path);
}

int taken_lines_ask(struct taken_lines *out, struct arena *arena,
                    const struct compile_command *command, const struct compile_arguments *parser) {
    VEC(const char *) question = {0};
    const char *const first[] = {"env", "-C", command->directory};
    const char *const last[] = {"-DBSIM_SKELETON",
                                "-w",
                                "-E",
                                "-fdirectives-only",
                                "-dI",
                                "-x",
                                command->is_cxx ? "c++" : "c",
                                command->file,
                                NULL};
    struct compile_arguments options = {0};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    commands_build_arguments(&options, arena, command);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        vec_push(&question, first[i]);
    for (const char *const *word = command->environment; word != NULL && *word != NULL; word++)
        vec_push(&question, *word);
    vec_push(&question, command->arguments.items[0]);
    for (int i = 0; i < parser->count; i++)
        if (text_has_prefix(parser->items[i], "-I"))
            vec_push(&question, parser->items[i]);
    for (int i = 0; i < options.count; i++)
        vec_push(&question, options.items[i]);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        vec_push(&question, last[i]);
    int status = process_capture(&result, &text, question.items, false, &ignored);
    if (status == 0 && result.exit_code == 0)
        read_lines(out, arena, command, text);
    else
        status = -1;
    free(text);
    vec_dispose(&question);
    return status;
}

void taken_lines_dispose(struct taken_lines *taken) {
    for (struct taken_file *file = hash_table_first(&taken->files); file != NULL;
         file = hash_table_next(file))
        vec_dispose(&file->lines);
    hash_table_dispose(&taken->files);
}

bool taken_lines_any(const struct taken_lines *taken, const char *path, int first, int end) {
    const struct taken_file *file = hash_table_find_text(&taken->files, path);
    for (int line = first; file != NULL && line < end && line < (int)file->lines.count; line++)
        if (file->lines.items[line])
            return true;
    return false;
}
