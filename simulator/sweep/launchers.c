/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines of sbatch, squeue and parallel, and what they print; see launchers.h. Tasks are
 * numbered from 0, and task T has points T * per_task to (T + 1) * per_task - 1.
 */
#include "simulator/sweep/launchers.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef VEC(const char *) argument_vec;

static void add_all(argument_vec *out, const struct word_list *list) {
    for (size_t i = 0; i < list->count; i++)
        vec_push(out, list->words[i]);
}

static size_t task_count(const struct launch_request *request) {
    return (request->points + request->per_task - 1) / request->per_task;
}

/* ---- The script of a task ---- */

/* GNU parallel sets TMPDIR for its tasks where nobody chose a place. */
static const char *forget_parallels_place(void) {
    const char *chosen = getenv("TMPDIR");
    bool is_chosen = chosen != NULL && chosen[0] != '\0';
    return is_chosen ? "" : "[ \"$TMPDIR\" != /tmp ] || unset TMPDIR\n";
}

/* `task` is what the shell makes the number of the task of; `first` are lines before. */
static int write_script(const char *path, const struct launch_request *request, const char *first,
                        const char *task, struct error *error) {
    struct str text = {0};
    const char *const words[] = {request->mpiskel, "sweep", "--work", request->directory};
    str_printf(&text, "#!/bin/sh\n%sexec", first);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words_add(&text, words[i]);
    str_printf(&text, " $((%s * %zu)) %zu\n", task, request->per_task, request->per_task);
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&text);
    if (result == 0 && chmod(path, 0755) != 0)
        result = error_set(error, "cannot make %s executable: %s", path, strerror(errno));
    return result;
}

/* ---- Slurm ---- */

/* The last one that is not empty; cuts what is behind it. */
static const char *last_line(char *text) {
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    const char *newline = strrchr(text, '\n');
    return newline != NULL ? newline + 1 : text;
}

/* What the command printed; it has to exit with 0. The caller frees *text. */
static int ask(char **text, const char *const argv[], struct error *error) {
    struct process_result process;
    char *printed = NULL;
    if (process_capture(&process, &printed, argv, true, error) != 0)
        return -1;
    if (process.exit_code != 0) {
        error_set(error, "%s fails with code %d: %s", argv[0], process.exit_code,
                  last_line(printed));
        free(printed);
        return -1;
    }
    *text = printed;
    return 0;
}

int slurm_submit(const char **job, struct arena *arena, const struct launch_request *request,
                 struct error *error) {
    argument_vec argv = {0};
    char *text = NULL;
    const char *script = path_join(arena, request->directory, "job.sh");
    if (write_script(script, request, "", "SLURM_ARRAY_TASK_ID", error) != 0)
        return -1;
    const char *limit = request->jobs > 0 ? arena_printf(arena, "%%%zu", request->jobs) : "";
    vec_push(&argv, "sbatch");
    vec_push(&argv, "--parsable");
    vec_push(&argv, arena_printf(arena, "--job-name=%s", request->batch));
    vec_push(&argv, arena_printf(arena, "--array=0-%zu%s", task_count(request) - 1, limit));
    vec_push(&argv, arena_printf(arena, "--output=%s/task-%%a.log", request->directory));
    add_all(&argv, &request->options);
    vec_push(&argv, script);
    vec_push(&argv, NULL);
    int result = ask(&text, argv.items, error);
    vec_dispose(&argv);
    if (result != 0)
        return -1;
    /* sbatch may warn before it tells the number, and tell a cluster behind. */
    const char *line = last_line(text);
    size_t digits = strspn(line, "0123456789");
    *job = arena_strndup(arena, line, digits);
    free(text);
    return digits > 0 ? 0 : error_set(error, "sbatch tells no number of a job");
}

/* A line `NAME TASK`; others, such as warnings, are left out. */
static bool parse_task(struct slurm_task *out, struct arena *arena, const char *line,
                       size_t length) {
    const char *blank = memchr(line, ' ', length);
    char *end = NULL;
    if (blank == NULL)
        return false;
    out->batch = arena_strndup(arena, line, (size_t)(blank - line));
    out->task = strtoll(blank + 1, &end, 10);
    return end != blank + 1 && (*end == '\n' || *end == '\0' || *end == ' ');
}

int slurm_queue(struct slurm_task **out, size_t *out_count, struct arena *arena,
                const char *const *batches, size_t batch_count, struct error *error) {
    struct str names = {0};
    VEC(struct slurm_task) tasks = {0};
    char *text = NULL;
    for (size_t i = 0; i < batch_count; i++)
        str_printf(&names, "%s%s", i > 0 ? "," : "--name=", batches[i]);
    /* -r: one line per task of an array, also of those that wait. */
    const char *const argv[] = {"squeue", "-h", "-r", "-o", "%j %K", str_text(&names), NULL};
    int result = ask(&text, argv, error);
    str_dispose(&names);
    if (result != 0)
        return -1;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        struct slurm_task task;
        if (parse_task(&task, arena, line, length))
            vec_push(&tasks, task);
        line += length + (line[length] == '\n');
    }
    free(text);
    *out_count = tasks.count;
    *out = ARENA_ARRAY(arena, struct slurm_task, tasks.count + 1);
    for (size_t i = 0; i < tasks.count; i++)
        (*out)[i] = tasks.items[i];
    vec_dispose(&tasks);
    return 0;
}

/* ---- GNU parallel ---- */

static int write_numbers(const char *path, size_t count, struct error *error) {
    struct str text = {0};
    for (size_t i = 0; i < count; i++)
        str_printf(&text, "%zu\n", i);
    int result = file_write(path, str_text(&text), text.length, error);
    str_dispose(&text);
    return result;
}

int parallel_start(pid_t *out, struct arena *arena, const struct launch_request *request,
                   struct error *error) {
    argument_vec argv = {0};
    const char *script = path_join(arena, request->directory, "job.sh");
    const char *numbers = path_join(arena, request->directory, "tasks");
    const char *log = path_join(arena, request->directory, "parallel.log");
    struct process_options options = {.stdout_file = log, .stderr_file = log};
    if (write_script(script, request, forget_parallels_place(), "$1", error) != 0 ||
        write_numbers(numbers, task_count(request), error) != 0)
        return -1;
    vec_push(&argv, "parallel");
    vec_push(&argv, "--will-cite");
    vec_push(&argv, "--quote");
    vec_push(&argv, arena_printf(arena, "--arg-file=%s", numbers));
    if (request->jobs > 0)
        vec_push(&argv, arena_printf(arena, "--jobs=%zu", request->jobs));
    add_all(&argv, &request->options);
    vec_push(&argv, script);
    vec_push(&argv, "{}");
    vec_push(&argv, NULL);
    int result = process_start(out, argv.items, &options, error);
    vec_dispose(&argv);
    return result;
}
