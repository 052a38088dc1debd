/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend/commands/build_environment.h"

#include <stdlib.h>

bool build_environment_is_recorded(const json_t *entry) {
    return json_is_array(json_object_get(entry, "environment"));
}

const char *const *build_environment_read(struct arena *arena, const json_t *entry) {
    const json_t *list = json_object_get(entry, "environment"), *one;
    const char **words = ARENA_ARRAY(arena, const char *, json_array_size(list) + 2);
    size_t i, count = 0;
    json_array_foreach(list, i, one) {
        if (i == 0)
            words[count++] = "env";
        if (json_is_string(one))
            words[count++] = arena_strdup(arena, json_string_value(one));
    }
    words[count] = NULL;
    return words;
}

static const char *const names[] = {
    "CPATH",
    "C_INCLUDE_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "CCC_OVERRIDE_OPTIONS",
    "SOURCE_DATE_EPOCH",
    "DEPENDENCIES_OUTPUT",
    "OMPI_CC",
    "OMPI_CPPFLAGS",
    "OMPI_CFLAGS",
    "OMPI_LDFLAGS",
    "OMPI_LIBS",
    "OMPI_MPICC",
    "MPICH_CC",
    "MPICH_MPICC_CFLAGS",
    "I_MPI_CC",
    "MPICH_MPICC_CPPFLAGS",
    "I_MPI_CFLAGS",
    "MPICH_MPICC_LDFLAGS",
    "I_MPI_LDFLAGS",
    "MPICH_MPICC_LIBS",
    "MPICC_PROFILE",
    "SUNPRO_DEPENDENCIES",
    "CPLUS_INCLUDE_PATH",
};

void build_environment_leave(void) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

const char *const *build_environment_here(struct arena *arena) {
    const char **words = ARENA_ARRAY(arena, const char *, sizeof names / sizeof *names + 1);
    size_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL)
            words[count++] = arena_printf(arena, "%s=%s", names[i], value);
    }
    words[count] = NULL;
    return words;
}
