/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/choice/engine_choice.h"

#include "base/file.h"
#include "simulator/choice/variables.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int engine_choice_parse(enum engine_choice *out, const char *text, struct error *error) {
    static const char *const names[] = {
        [ENGINE_SMPI] = "smpi", [ENGINE_OWN] = "own", [ENGINE_AUTO] = "auto"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (enum engine_choice)i;
            return 0;
        }
    return error_set(error, "--engine is auto, smpi or own, not '%s'", text);
}

const char *engine_directory(struct arena *arena) {
    return path_of_library(arena, "engine");
}

const char *engine_program(struct arena *arena) {
    return path_join(arena, engine_directory(arena), "smpimain");
}

/* Each area of memory may become 2 MiB larger, which matters where few ranks take little. */
#define RANKS_WITH_LARGE_PAGES 1024

const char *engine_tunables(size_t ranks, struct arena *arena) {
    const char *others = getenv("GLIBC_TUNABLES");
    if (ranks < RANKS_WITH_LARGE_PAGES)
        return NULL;
    return arena_printf(arena, "glibc.malloc.hugetlb=1%s%s", others != NULL ? ":" : "",
                        others != NULL ? others : "");
}

const char *engine_lack_before(const char *program, bool times_computation, struct arena *arena) {
    if (times_computation)
        return "computation that is timed as it runs";
    if (!variables_are_apart(program))
        return "a program whose variables the ranks cannot share one copy of";
    if (access(engine_program(arena), X_OK) != 0)
        return "the program of the engine, which is not installed";
    return NULL;
}

const char *engine_lack_file(const char *work_directory, struct arena *arena) {
    return path_join(arena, work_directory, "engine-lacks");
}

const char *engine_lack_after(const char *work_directory, struct arena *arena) {
    struct error error = {0};
    char *text = NULL;
    const char *file = engine_lack_file(work_directory, arena);
    if (!file_exists(file) || file_read(&text, NULL, file, &error) != 0)
        return NULL;
    const char *lack = arena_strdup(arena, text);
    free(text);
    return lack;
}
