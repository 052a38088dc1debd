/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts compilers, waits for the oldest where there are enough; see jobs.h.
 */
#include "skeletonizer/compiler/jobs.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const struct jobs *jobs, const struct job *job, struct error *error) {
    char *text = NULL;
    struct error ignored = {0};
    if (jobs->silent)
        return -1;
    if (file_read(&text, NULL, job->log, &ignored) == 0)
        fputs(text, stderr);
    free(text);
    struct str command = {0};
    for (size_t i = 0; i + 1 < job->command.count; i++)
        str_printf(&command, "%s%s", i > 0 ? " " : "", job->command.items[i]);
    note("the command was: %s", str_text(&command));
    str_dispose(&command);
    return error_set(error, "cannot build %s; the compiler's messages are above", job->source);
}

static int finish_one(struct jobs *jobs, struct error *error) {
    struct job job = jobs->running.items[0];
    struct process_result result;
    memmove(jobs->running.items, jobs->running.items + 1,
            --jobs->running.count * sizeof(struct job));
    int status = process_wait(&result, job.pid, NULL, NULL, error);
    if (status == 0 && process_interrupted())
        status = error_set(error, "interrupted");
    else if (status == 0 && result.exit_code != 0)
        status = fail(jobs, &job, error);
    vec_dispose(&job.command);
    return status;
}

int jobs_finish(struct jobs *jobs, struct error *error) {
    int status = 0;
    while (jobs->running.count > 0)
        if (finish_one(jobs, error) != 0)
            status = -1;
    return status;
}

int jobs_start(struct jobs *jobs, struct job job, const char *directory, struct error *error) {
    struct process_options options = {
        .directory = directory, .stdout_file = job.log, .stderr_file = job.log};
    if ((int)jobs->running.count >= jobs->limit && finish_one(jobs, error) != 0) {
        vec_dispose(&job.command);
        return -1;
    }
    if (process_start(&job.pid, job.command.items, &options, error) != 0) {
        vec_dispose(&job.command);
        return -1;
    }
    vec_push(&jobs->running, job);
    return 0;
}
