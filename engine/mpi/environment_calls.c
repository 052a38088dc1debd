/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions of the environment: beginning and end, time, memory, errors, names.
 */
#include "engine/core/simulation.h"
#include "engine/core/waiting_ranks.h"
#include "engine/messages/message_settings.h"
#include "engine/objects/failure.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct waiting_ranks at_init;

static bool begin(struct rank_call *call) {
    (void)call;
    if (at_init.count + 1 < simulation.rank_count) {
        waiting_ranks_join(&at_init);
        return false;
    }
    while (waiting_ranks_release(&at_init))
        continue;
    waiting_ranks_dispose(&at_init);
    return true;
}

/* All ranks leave MPI_Init when the last one has come, as with SMPI. */
int PMPI_Init(int *argc, char ***argv) {
    (void)argc, (void)argv;
    if (current_rank()->is_initialized)
        return MPI_ERR_OTHER;
    current_rank()->is_initialized = true;
    simulation_ask(begin, NULL, "MPI_Init");
    return MPI_SUCCESS;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    (void)required;
    if (provided != NULL)
        *provided = MPI_THREAD_SINGLE;
    return PMPI_Init(argc, argv);
}

int PMPI_Query_thread(int *provided) {
    *provided = MPI_THREAD_SINGLE;
    return MPI_SUCCESS;
}

int PMPI_Is_thread_main(int *flag) {
    *flag = simulation.current == 0;
    return MPI_SUCCESS;
}

int PMPI_Initialized(int *flag) {
    *flag = simulation.current != NO_RANK && current_rank()->is_initialized;
    return MPI_SUCCESS;
}

int PMPI_Finalize(void) {
    current_rank()->is_finalized = true;
    return MPI_SUCCESS;
}

int PMPI_Finalized(int *flag) {
    *flag = simulation.current != NO_RANK && current_rank()->is_finalized;
    return MPI_SUCCESS;
}

/* In SimGrid's words, for simulator/run/outcome.c. */
int PMPI_Abort(MPI_Comm comm, int code) {
    (void)comm;
    fflush(stdout);
    fprintf(stderr, "[engine:%u:(%u) %f] [engine/WARNING] MPI_Abort was called\n",
            simulation.current, simulation.current + 1, simulation.now_s);
    _exit(code != 0 ? code : 1);
}

double PMPI_Wtime(void) {
    double now_s = simulation_clock_s();
    if (simulation.current != NO_RANK && current_rank()->is_initialized &&
        !current_rank()->is_finalized && message_settings.clock_s > 0)
        simulation_sleep(message_settings.clock_s);
    return now_s;
}

double PMPI_Wtick(void) {
    return 1e-9;
}

int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) {
    (void)info;
    void *memory = malloc(size > 0 ? (size_t)size : 1);
    *(void **)baseptr = memory;
    return memory != NULL ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int PMPI_Free_mem(void *base) {
    free(base);
    return MPI_SUCCESS;
}

int PMPI_Get_version(int *version, int *subversion) {
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

/* What SMPI says, so that the same program prints the same. */
int PMPI_Get_library_version(char *version, int *length) {
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING,
                       "SMPI Version 3.32. Copyright The SimGrid Team 2007-2022");
    return MPI_SUCCESS;
}

int PMPI_Get_processor_name(char *name, int *length) {
    host_network_name(name, MPI_MAX_PROCESSOR_NAME, simulation.network, current_rank()->host);
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

int PMPI_Get_address(const void *location, MPI_Aint *address) {
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

int PMPI_Address(const void *location, MPI_Aint *address) {
    return PMPI_Get_address(location, address);
}

MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint by) {
    return base + by;
}

MPI_Aint PMPI_Aint_diff(MPI_Aint left, MPI_Aint right) {
    return left - right;
}

int PMPI_Error_class(int code, int *class) {
    *class = code;
    return MPI_SUCCESS;
}

int PMPI_Error_string(int code, char *text, int *length) {
    if (code < 0 || code > MPI_ERR_LASTCODE || text == NULL)
        return MPI_ERR_ARG;
    *length = snprintf(text, MPI_MAX_ERROR_STRING, "%s", mpi_error_names[code]);
    return MPI_SUCCESS;
}
