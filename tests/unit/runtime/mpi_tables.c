/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of MPI functions and of functions without source: which parameter belongs to which,
 * what the rows say of some well-known functions, and the errors of the reader of rows.
 */
#include "mpi/calls.h"
#include "mpi/externs.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "mpi_tables: %s\n", what);
        failures++;
    }
}

/* ---- MPI functions ---- */

static void check_links(const char *name, int payload, int count, int displacements, int datatype) {
    const struct mpi_call *call = mpi_call_find(name);
    check(call != NULL && mpi_payload_count(call, payload) == count &&
              mpi_payload_displacements(call, payload) == displacements &&
              mpi_payload_datatype(call, payload) == datatype,
          name);
}

static void check_all_rows(void) {
    for (size_t i = 0; i < mpi_call_count(); i++) {
        const struct mpi_call *call = mpi_call_at(i);
        check(mpi_call_find(call->name) == call, call->name);
        check(call->in_smpi == (call->support != MPI_SUPPORT_NO), call->name);
        for (int j = 0; j < call->parameter_count; j++) {
            const struct mpi_parameter *parameter = &call->parameters[j];
            bool pointer = strchr(parameter->type, '*') != NULL;
            check(mpi_role_is_value(parameter->role) || pointer, call->name);
        }
    }
}

/* What a getter tells its setter decides: both have the state, and the setter stays in skeletons.
 */
static void check_states(void) {
    for (unsigned state = 0; state < MPI_STATE_COUNT; state++) {
        bool read = false, written = false;
        for (size_t i = 0; i < mpi_call_count(); i++) {
            const struct mpi_call *call = mpi_call_at(i);
            read |= (call->reads >> state & 1) != 0;
            written |= (call->writes >> state & 1) != 0;
        }
        check(read && written, "a state is never read, or never written");
    }
    for (size_t i = 0; i < mpi_call_count(); i++) {
        const struct mpi_call *call = mpi_call_at(i);
        static const char *const setters[] = {"_set_name",       "_set_attr",     "_set_info",
                                              "_set_errhandler", "_delete_attr",  "_set_view",
                                              "_set_size",       "_set_atomicity"};
        static const char *const getters[] = {"_get_name",       "_get_attr",    "_get_info",
                                              "_get_errhandler", "_get_view",    "_get_size",
                                              "_get_atomicity",  "_get_position"};
        for (size_t k = 0; k < sizeof setters / sizeof *setters; k++)
            check(strstr(call->name, setters[k]) == NULL || call->writes != 0, call->name);
        for (size_t k = 0; k < sizeof getters / sizeof *getters; k++)
            check(strstr(call->name, getters[k]) == NULL ||
                      (call->reads != 0 && call->writes == 0 && !mpi_call_is_kept(call)),
                  call->name);
        check(call->writes == 0 || mpi_call_is_kept(call), call->name);
    }
}

static void check_facts(void) {
    for (size_t i = 0; i < mpi_call_count(); i++) {
        const struct mpi_call *call = mpi_call_at(i);
        bool collective = call->class == MPI_CLASS_COLLECTIVE;
        bool has_flag = mpi_call_parameter(call, MPI_ROLE_FLAG_OUT) >= 0;
        bool completes = call->class == MPI_CLASS_COMPLETION || call->class == MPI_CLASS_PROBE;
        check(collective == (call->pattern != MPI_PATTERN_NONE), call->name);
        check(!completes || !has_flag || mpi_call_is(call, MPI_IS_POLL), call->name);
        check(!mpi_call_is(call, MPI_HAS_ONE_TYPE) ||
                  mpi_call_parameter(call, MPI_ROLE_DATATYPE) >= 0,
              call->name);
        check(!mpi_call_is(call, MPI_IS_DIVISION) ||
                  mpi_call_parameter(call, MPI_ROLE_COMMUNICATOR_OUT) >= 0,
              call->name);
    }
    check(mpi_function_is("PMPI_Testsome", MPI_IS_POLL), "MPI_Testsome is a poll");
    check(!mpi_function_is("MPI_Waitsome", MPI_IS_POLL), "MPI_Waitsome is none");
    check(!mpi_function_is("no_function", MPI_IS_POLL), "nothing is a fact of no function");
}

static void check_calls(void) {
    check(mpi_call_count() > 350, "there are too few rows");
    check(mpi_call_find("MPI_No_such_function") == NULL, "an unknown function is found");
    check(mpi_call_find("PMPI_Send") == mpi_call_find("MPI_Send"), "PMPI_Send is not found");
    check_links("MPI_Send", 0, 1, -1, 2);
    check_links("MPI_Reduce", 0, 2, -1, 3);
    check_links("MPI_Reduce", 1, 2, -1, 3);
    check_links("MPI_Alltoallw", 4, 5, 6, 7);
    check_links("MPI_Unpack", 0, 1, -1, -1);
    check_links("MPI_Unpack", 3, 4, -1, 5);
    check_links("MPI_Fetch_and_op", 1, -1, -1, 2);
    const struct mpi_call *waitsome = mpi_call_find("MPI_Waitsome");
    check(mpi_array_length(waitsome, 1) == 0 && mpi_array_length(waitsome, 4) == 0,
          "MPI_Waitsome: the length of its arrays");
    check(!mpi_call_find("MPI_Comm_spawn")->in_smpi, "MPI_Comm_spawn aborts in SimGrid");
    check(mpi_call_find("MPI_Pcontrol")->support == MPI_SUPPORT_RUNTIME, "MPI_Pcontrol");
    check(!mpi_call_find("MPI_Comm_rank")->criterion, "MPI_Comm_rank is local");
    check(mpi_datatype_class("MPI_DOUBLE") == MPI_TYPE_FLOATING, "MPI_DOUBLE");
    check(mpi_datatype_class("MPI_INT") == MPI_TYPE_INTEGER, "MPI_INT");
    check(mpi_datatype_class("MPI_BYTE") == MPI_TYPE_UNKNOWN, "MPI_BYTE");
    check_all_rows();
    check_states();
    check_facts();
}

/* ---- Functions without source ---- */

static void check_rows(void) {
    struct externs externs = {0};
    struct error error = {0};
    check(externs_load_builtin(&externs, &error) == 0, error.text);
    const struct extern_function *repeated = externs_repeated(&externs);
    check(repeated == NULL, repeated != NULL ? repeated->name : "");
    const struct extern_function *copy = externs_find(&externs, "__builtin_memcpy");
    check(copy != NULL && copy->parameters[0].effect == EXTERN_COPY &&
              copy->parameters[0].other == 1 && copy->result == EXTERN_RETURNS_ALIAS,
          "memcpy");
    const struct extern_function *scan = externs_find(&externs, "fscanf");
    check(scan != NULL && scan->kind == EXTERN_INPUT && scan->stream == 0 &&
              extern_argument(scan, 7).effect == EXTERN_WRITE,
          "fscanf");
    const struct extern_function *kernel = externs_find(&externs, "zgemm_");
    check(kernel != NULL && kernel->cost != NULL && strcmp(kernel->cost, "2*m*n*k") == 0 &&
              kernel->parameters[11].effect == EXTERN_READ_WRITE,
          "zgemm_");
    check(externs_find(&externs, "logl") != NULL, "logl");
    const struct extern_function *sum = externs_find_vector(&externs, "_mm_add_pd", false);
    check(sum != NULL && extern_argument(sum, 1).effect == EXTERN_VALUE, "_mm_add_pd");
    const struct extern_function *load = externs_find_vector(&externs, "_mm256_loadu_pd", true);
    check(load != NULL && extern_argument(load, 0).effect == EXTERN_READ, "_mm256_loadu_pd");
    const struct extern_function *store = externs_find_vector(&externs, "_mm_storel_pd", true);
    check(store != NULL && extern_argument(store, 0).effect == EXTERN_WRITE &&
              extern_argument(store, 1).effect == EXTERN_VALUE,
          "_mm_storel_pd");
    const struct extern_function *some = externs_find_vector(&externs, "_mm256_maskstore_pd", true);
    check(some != NULL && extern_argument(some, 0).effect == EXTERN_READ_WRITE, "maskstore");
    check(externs_find_vector(&externs, "_mm_2intersect_epi32", true) == NULL, "a pointer");
    check(externs_find_vector(&externs, "my_mm_add_pd", false) == NULL, "no intrinsic");
    check(externs_find(&externs, "MPI_Send") == NULL, "MPI_Send is not an extern");
    check(externs_load(&externs, "logl(r v...) void exit", "mine", &error) == 0, error.text);
    const struct extern_function *mine = externs_find(&externs, "logl");
    check(mine != NULL && mine->kind == EXTERN_EXIT && strcmp(mine->file, "mine") == 0,
          "a later row does not override");
    check(externs_repeated(&externs) == NULL, "an override is no repetition");
    check(externs_load(&externs, "g(v) void\nh g(v) void", "twice", &error) == 0, error.text);
    repeated = externs_repeated(&externs);
    check(repeated != NULL && strcmp(repeated->name, "g") == 0 && repeated->line == 2,
          "a repetition is not found");
    externs_dispose(&externs);
}

static void check_errors(void) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"f(v x) value", "t:1:5: error: expected an effect"},
        {"# fine\n f", "t:2:3: error: expected '('"},
        {"f{a,b(v) value", "t:1:2: error: this { is not closed"},
        {"f(v", "t:1:4: error: the list of effects is not closed"},
        {"f(v... v) value", "t:1:8: error: nothing may follow"},
        {"f(c) value", "t:1:3: error: expected the number of an argument"},
        {"f(c99 r) value", "t:1:3: error: expected the number of an argument"},
        {"f(c2) value", "t:1:1: error: the row names an argument"},
        {"f(v) nothing", "t:1:6: error: expected a result"},
        {"f(r) number", "t:1:1: error: a number follows from values alone"},
        {"f(v...) number", "t:1:1: error: a number follows from values alone"},
        {"f(v) number state rand", "t:1:1: error: a number follows from values alone"},
        {"f(v) value state", "t:1:17: error: expected the name"},
        {"f(v) value cost", "t:1:16: error: expected an expression"},
        {"f(v) value what", "t:1:12: error: expected pure"},
        {"(v) value", "t:1:1: error: expected a function's name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct externs externs = {0};
        struct error error = {0};
        check(externs_load(&externs, cases[i].text, "t", &error) == -1, cases[i].text);
        check(strncmp(error.text, cases[i].message, strlen(cases[i].message)) == 0, error.text);
        externs_dispose(&externs);
    }
}

int main(void) {
    check_calls();
    check_rows();
    check_errors();
    return failures == 0 ? 0 : 1;
}
