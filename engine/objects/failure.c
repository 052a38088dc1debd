/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/objects/failure.h"

#include "engine/core/simulation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct SMPI_Errhandler smpi_MPI_ERRORS_ARE_FATAL = {.is_fatal = true};
struct SMPI_Errhandler smpi_MPI_ERRORS_RETURN;

const char *const mpi_error_names[] = {FOREACH_ERROR(GENERATE_STRING)};

void failure_handle(struct SMPI_Errhandler *handler, void *object, int code, const char *call) {
    if (handler != NULL && handler->function != NULL) {
        handler->function(object, &code);
        return;
    }
    if (handler != NULL && !handler->is_fatal)
        return;
    fprintf(
        stderr, "[engine:%u:(%u) %f] [engine/CRITICAL] %s - returned %s instead of MPI_SUCCESS\n",
        simulation.current, simulation.current + 1, simulation.now_s, call, mpi_error_names[code]);
    fflush(stdout);
    abort();
}

void failure_of_communicator(struct SMPI_Comm *comm, int code, const char *call) {
    failure_handle(comm->handler, &comm, code, call);
}

void engine_lacks(const char *format, ...) {
    const char *path = getenv("BSIM_ENGINE_LACKS");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    if (file != NULL) {
        vfprintf(file, format, args);
        fclose(file);
    } else {
        fputs("mpiskel: error: the engine lacks ", stderr);
        vfprintf(stderr, format, again);
        fputc('\n', stderr);
    }
    va_end(again);
    va_end(args);
    _exit(ENGINE_LACKS_EXIT_CODE);
}
