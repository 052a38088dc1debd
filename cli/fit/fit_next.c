/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs of one input ask for other sizes; otherwise `mpiskel run` is shown with the
 * ranks and arguments of a profiling run, which show where the user's own go.
 */
#include "cli/fit/fit_steps.h"

#include "base/file.h"
#include "base/str.h"
#include "base/words.h"

#include <stdio.h>

/* Of one input no model can depend on a size. */
static bool has_one_input(const struct samples *samples) {
    const struct run *first = samples->runs;
    for (int i = 1; i < samples->run_count; i++)
        if (samples->runs[i].ranks != first->ranks ||
            !run_has_input_of(first, samples->runs[i].arguments, samples->runs[i].directory))
            return false;
    return samples->run_count > 0;
}

/* Of those on most ranks the last, which is seldom the smallest. */
static const struct run *example(const struct samples *samples) {
    const struct run *found = samples->runs;
    for (int i = 1; i < samples->run_count; i++)
        if (samples->runs[i].ranks >= found->ranks)
            found = &samples->runs[i];
    return found;
}

static void add_arguments(struct str *command, struct arena *arena, const struct run *run) {
    size_t count = 0;
    const char *const *words = words_of_json(&count, arena, run->arguments);
    if (count > 0)
        words_add(command, "--");
    for (size_t i = 0; i < count; i++)
        words_add(command, words[i]);
}

static void print_run(struct arena *arena, const char *bundle, const char *to,
                      const struct run *run) {
    struct str command = {0};
    words_add(&command, bundle);
    str_printf(&command, " -np %d", run->ranks);
    if (to != NULL) {
        words_add(&command, "--machine");
        words_add(&command, to);
    }
    add_arguments(&command, arena, run);
    printf("next: predict any ranks and arguments, such as those of a profiling run: mpiskel run "
           "%s\n",
           str_text(&command));
    str_dispose(&command);
}

static void print_other_sizes(struct arena *arena, const char *bundle) {
    const char *profile = path_join(arena, bundle, "profile");
    if (!file_exists(profile))
        puts("next: all recordings had one input: record other sizes and numbers of ranks, then "
             "mpiskel synthesize and mpiskel fit again");
    else
        printf("next: all profiling runs had one input: run %s with other sizes (mpiskel plan %s "
               "--target '-np RANKS ARGUMENTS' lists them), then mpiskel fit again\n",
               words_text(arena, &profile, 1), words_text(arena, &bundle, 1));
}

void fit_next_print(const char *bundle, const char *to, const struct samples *samples) {
    struct arena arena;
    arena_init(&arena);
    if (has_one_input(samples) && to == NULL)
        print_other_sizes(&arena, bundle);
    else
        print_run(&arena, bundle, to, example(samples));
    arena_dispose(&arena);
}
