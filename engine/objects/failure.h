/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens when a call fails, or the simulation cannot go on. Messages have the words by which
 * simulator/run/log_line.c knows SimGrid's.
 */
#pragma once

#include "engine/objects/communicator.h"

/* An error handler; the functions take handle, code. */
struct SMPI_Errhandler {
    MPI_Handler_function *function; /* NULL: a predefined one */
    bool is_fatal;
};

extern const char *const mpi_error_names[];

/* Calls the handler of the communicator (NULL: errors are fatal). */
void failure_of_communicator(struct SMPI_Comm *comm, int code, const char *call);
void failure_handle(struct SMPI_Errhandler *handler, void *object, int code, const char *call);

/* What the engine lacks: the run is told to start over in SMPI (file BSIM_ENGINE_LACKS). */
void engine_lacks(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
#define ENGINE_LACKS_EXIT_CODE 96
