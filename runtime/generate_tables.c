/* SPDX-License-Identifier: Apache-2.0
 *
 * Build-time generator: writes what the runtimes need of the table of MPI functions in a form that
 * the preprocessor cannot make.
 *
 *   generate macros   bsim_calls.h: prototypes of the wrappers and the macros that redirect to
 * them, calls by the names with MPI_ and PMPI_ alike, and what is none (a pointer to the function)
 * to the symbols at the end of runtime/smpi/wrappers.c; a function that the program defines itself
 * (BSIM_OWN_MPI_X) gets a name of its own, so that SimGrid, and the runtime, never call it
 *   generate names    bsim_names.h: in the profiling build, what takes part in calls with PMPI_
 *   generate places   bsim_places.h: macros by which calls in the profiling build tell where they
 * are generate table    bsim_table.h: for each wrapped function, what to record of its parameters;
 * and functions around the local ones of a communicator (runtime/smpi/handles.c)
 */
#include "mpi/calls.h"

#include <stdio.h>
#include <string.h>

static bool is_wrapped(const struct mpi_call *call) {
    return call->criterion || strcmp(call->name, "MPI_Wtime") == 0 ||
           call->support != MPI_SUPPORT_YES;
}

static bool is_local(const struct mpi_call *call) {
    return !is_wrapped(call) && call->support == MPI_SUPPORT_YES && !call->variadic &&
           mpi_call_parameter(call, MPI_ROLE_COMMUNICATOR) >= 0;
}

static void print_prototype(const struct mpi_call *call) {
    printf("%s bsim_%s(const char *bsim_file, int bsim_line", call->result_type, call->name);
    for (int i = 0; i < call->parameter_count; i++)
        printf(", %s bsim_%s", call->parameters[i].type, call->parameters[i].name);
    printf("%s);\n", call->variadic ? ", ..." : "");
}

static void print_local_head(const struct mpi_call *call) {
    printf("%s bsim_%s(", call->result_type, call->name);
    for (int i = 0; i < call->parameter_count; i++)
        printf("%s%s bsim_%s", i > 0 ? ", " : "", call->parameters[i].type,
               call->parameters[i].name);
    printf(")");
}

static void print_pointer_head(const struct mpi_call *call) {
    printf("%s bsim_pointer_%s(", call->result_type, call->name);
    for (int i = 0; i < call->parameter_count; i++)
        printf("%s%s bsim_%s", i > 0 ? ", " : "", call->parameters[i].type,
               call->parameters[i].name);
    printf("%s%s)", call->variadic ? ", ..." : "", call->parameter_count == 0 ? "void" : "");
}

static void print_pointer(const struct mpi_call *call) {
    print_pointer_head(call);
    puts(";");
    print_pointer_head(call);
    printf(" {\n    return bsim_%s(BSIM__POINTER_PLACE", call->name);
    for (int i = 0; i < call->parameter_count; i++)
        printf(", bsim_%s", call->parameters[i].name);
    puts(");\n}");
}

static void print_local(const struct mpi_call *call) {
    print_local_head(call);
    printf(" {\n    return %s(", call->name);
    for (int i = 0; i < call->parameter_count; i++) {
        bool communicator = call->parameters[i].role == MPI_ROLE_COMMUNICATOR;
        printf("%s%sbsim_%s%s", i > 0 ? ", " : "", communicator ? "bsim__communicator(" : "",
               call->parameters[i].name, communicator ? ")" : "");
    }
    puts(");\n}");
}

static bool has_wrapper(const struct mpi_call *call) {
    return is_wrapped(call) || is_local(call) || mpi_call_is(call, MPI_IS_SUBSTITUTED);
}

/* What old-style C declares again, `int MPI_Send();`, is no call: nothing is in the parentheses of
 * a function with parameters. That of a clock looks like one, and stays a name (print_symbol). */
static void print_macro(const struct mpi_call *call, const char *prefix) {
    const char *kind = is_wrapped(call) ? "PLACED" : "LOCAL";
    bool is_clock = call->parameter_count == 0 && strcmp(call->result_type, "double") == 0;
    printf("#undef %s%s\n", prefix, call->name);
    if (call->parameter_count > 0)
        printf("#define %s%s(...) BSIM__%s_##__VA_OPT__(CALL)(%s%s, bsim_%s, __VA_ARGS__)\n",
               prefix, call->name, kind, prefix, call->name, call->name);
    else if (!is_clock || !is_wrapped(call))
        printf("#define %s%s() bsim_%s(%s)\n", prefix, call->name, call->name,
               is_wrapped(call) ? "__FILE__, __LINE__" : "");
}

static void print_call_macros(void) {
    puts("#define BSIM__PLACED_(name, own, ...) name()\n"
         "#define BSIM__PLACED_CALL(name, own, ...) own(__FILE__, __LINE__, __VA_ARGS__)\n"
         "#define BSIM__LOCAL_(name, own, ...) name()\n"
         "#define BSIM__LOCAL_CALL(name, own, ...) own(__VA_ARGS__)");
}

/* Of what is not a call. */
static void print_symbol(const struct mpi_call *call, const char *prefix) {
    printf("extern __typeof__(%s%s) %s%s __asm__(\"bsim_%s%s\");\n", prefix, call->name, prefix,
           call->name, is_wrapped(call) ? "pointer_" : "", call->name);
}

static void print_redirection(const struct mpi_call *call) {
    bool wrapper = has_wrapper(call);
    if (wrapper) {
        print_symbol(call, "P");
        print_macro(call, "P");
    }
    printf("#ifdef BSIM_OWN_%s\n#undef %s\n#define %s bsim_own_%s\n"
           "extern __typeof__(P%s) bsim_own_%s;\n",
           call->name, call->name, call->name, call->name, call->name, call->name);
    if (wrapper) {
        puts("#else");
        print_symbol(call, "");
        print_macro(call, "");
    }
    puts("#endif");
}

static void print_macros(void) {
    puts("/* SPDX-License-Identifier: Apache-2.0\n *\n"
         " * Generated from mpi/calls.def by the build. BSIM_NO_MACROS: only the prototypes.\n */\n"
         "#ifndef BSIM_CALLS_H\n#define BSIM_CALLS_H\n#pragma GCC system_header\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif");
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (is_wrapped(mpi_call_at(i)))
            print_prototype(mpi_call_at(i));
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (is_local(mpi_call_at(i)) || mpi_call_is(mpi_call_at(i), MPI_IS_SUBSTITUTED)) {
            print_local_head(mpi_call_at(i));
            puts(";");
        }
    puts("#ifdef __cplusplus\n}\n#endif\n#ifndef BSIM_NO_MACROS");
    print_call_macros();
    for (size_t i = 0; i < mpi_call_count(); i++)
        print_redirection(mpi_call_at(i));
    puts("#endif\n#endif");
}

static bool is_in_profile(const struct mpi_call *call) {
    switch (call->class) {
    case MPI_CLASS_INIT:
    case MPI_CLASS_FINALIZE:
    case MPI_CLASS_ABORT:
    case MPI_CLASS_P2P:
    case MPI_CLASS_COMPLETION:
    case MPI_CLASS_PROBE:
    case MPI_CLASS_COLLECTIVE:
        return true;
    default:
        return false;
    }
}

static void print_names(void) {
    puts("/* SPDX-License-Identifier: Apache-2.0\n *\n"
         " * Generated from mpi/calls.def by the build: a program with functions of MPI of its own "
         "calls MPI's\n * with PMPI_, and the profiling runtime has to take part.\n */\n"
         "#ifndef BSIM_NAMES_H\n#define BSIM_NAMES_H");
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (is_in_profile(mpi_call_at(i)))
            printf("#define P%s bsim_%s\n", mpi_call_at(i)->name, mpi_call_at(i)->name);
    puts("#endif");
}

static void print_places(void) {
    puts("/* SPDX-License-Identifier: Apache-2.0\n *\n"
         " * Generated from mpi/calls.def by the build: calls tell the profiling runtime, and the "
         "recorder, where they are.\n */\n"
         "#ifndef BSIM_PLACES_H\n#define BSIM_PLACES_H\n#pragma GCC system_header\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
         "extern __thread const char *bsim_place_file;\nextern __thread int bsim_place_line;\n"
         "#ifdef __cplusplus\n}\n#endif\n"
         "#define BSIM__PLACE_(name, ...) name()\n"
         "#ifdef __cplusplus\n"
         "/* C++ may write `::` in front of a call, so that no parenthesis begins it. */\n"
         "extern \"C++\" {\n"
         "template <typename Function>\n"
         "static inline Function *bsim__placed(const char *file, int line, Function *function) {\n"
         "    bsim_place_file = file;\n    bsim_place_line = line;\n    return function;\n}\n}\n"
         "#define BSIM__PLACE_CALL(name, ...) bsim__placed(__FILE__, __LINE__, "
         "::name)(__VA_ARGS__)\n"
         "#else\n"
         "#define BSIM__PLACE_CALL(name, ...) (bsim_place_file = __FILE__, bsim_place_line = "
         "__LINE__, name(__VA_ARGS__))\n"
         "#endif");
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (mpi_call_at(i)->criterion)
            printf("#if !defined(BSIM_OWN_%s) && !defined(%s)\n"
                   "#define %s(...) BSIM__PLACE_%s(%s, __VA_ARGS__)\n#endif\n",
                   mpi_call_at(i)->name, mpi_call_at(i)->name, mpi_call_at(i)->name,
                   mpi_call_at(i)->parameter_count > 0 ? "##__VA_OPT__(CALL)" : "CALL",
                   mpi_call_at(i)->name);
    puts("#endif");
}

/* ---- The table ---- */

static int parameters_with(const struct mpi_call *call, enum mpi_role role) {
    int count = 0;
    for (int i = 0; i < call->parameter_count; i++)
        count += call->parameters[i].role == role;
    return count;
}

/* The word before `=` in a recorded call: a count becomes bytes, the only one of its kind loses
 * its particular name. */
static void print_label(const struct mpi_call *call, const struct mpi_parameter *parameter) {
    const char *at = strstr(parameter->name, "count");
    if (parameter->role == MPI_ROLE_COUNT && at != NULL)
        printf("%.*sbytes", (int)(at - parameter->name), parameter->name);
    else if (parameter->role == MPI_ROLE_DATATYPE && strcmp(parameter->name, "datatype") == 0)
        printf("type");
    else if (parameter->role == MPI_ROLE_PEER && parameters_with(call, MPI_ROLE_PEER) == 1)
        printf("peer");
    else
        printf("%s", parameter->name);
}

/* Bit i is set for each payload i whose count, displacements or datatype the parameter is. */
static unsigned owners(const struct mpi_call *call, int parameter) {
    unsigned mask = 0;
    for (int i = 0; i < call->parameter_count; i++)
        if (mpi_role_is_payload(call->parameters[i].role) &&
            (mpi_payload_count(call, i) == parameter ||
             mpi_payload_datatype(call, i) == parameter ||
             mpi_payload_displacements(call, i) == parameter))
            mask |= 1u << i;
    return mask;
}

/* The datatype that belongs to a count: that of its payload; a count that is nobody's (the target
 * side of one-sided calls) is followed by its own. */
static int datatype_of_count(const struct mpi_call *call, int parameter) {
    for (int i = 0; i < call->parameter_count; i++)
        if ((owners(call, parameter) & 1u << i) != 0)
            return mpi_payload_datatype(call, i);
    int next = parameter + 1;
    bool own = next < call->parameter_count && call->parameters[next].role == MPI_ROLE_DATATYPE;
    return own ? next : -1;
}

static void print_parameter(const struct mpi_call *call, int i) {
    const struct mpi_parameter *parameter = &call->parameters[i];
    bool is_count = parameter->role == MPI_ROLE_COUNT || parameter->role == MPI_ROLE_COUNTS;
    printf("    {MPI_ROLE_%s, sizeof(%s), \"", mpi_role_name(parameter->role), parameter->type);
    print_label(call, parameter);
    printf("\", %uu, %d, %d},\n", owners(call, i), is_count ? datatype_of_count(call, i) : -1,
           mpi_array_length(call, i));
}

static void print_call(const struct mpi_call *call) {
    static const enum mpi_role roles[] = {
        MPI_ROLE_COMMUNICATOR,     MPI_ROLE_ROOT,      MPI_ROLE_FLAG_OUT, MPI_ROLE_REQUEST_OUT,
        MPI_ROLE_COMMUNICATOR_OUT, MPI_ROLE_OPERATION, MPI_ROLE_DATATYPE};
    printf("{\"%s\", %d, %d, ", call->name, (int)call->class, call->parameter_count);
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        printf("%d, ", mpi_call_parameter(call, roles[i]));
    printf("%d, %d, %uu, (const struct bsim__parameter[]){\n", call->support != MPI_SUPPORT_NO,
           (int)call->pattern, call->facts);
    for (int i = 0; i < call->parameter_count; i++)
        print_parameter(call, i);
    puts("    {MPI_ROLE_VALUE, 0, 0, 0u, -1, -1}}},");
}

static void print_table(void) {
    puts("/* SPDX-License-Identifier: Apache-2.0\n *\n"
         " * Generated from mpi/calls.def by the build. Define BSIM__ID(name), BSIM__ROWS, "
         "BSIM__LOCALS or BSIM__POINTER_PLACE.\n */");
    puts("#ifdef BSIM__ID");
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (is_wrapped(mpi_call_at(i)))
            printf("BSIM__ID(%s)\n", mpi_call_at(i)->name);
    puts("#endif\n#ifdef BSIM__ROWS");
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (is_wrapped(mpi_call_at(i)))
            print_call(mpi_call_at(i));
    puts("#endif\n#ifdef BSIM__LOCALS");
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (is_local(mpi_call_at(i)))
            print_local(mpi_call_at(i));
    puts("#endif\n#ifdef BSIM__POINTER_PLACE");
    for (size_t i = 0; i < mpi_call_count(); i++)
        if (is_wrapped(mpi_call_at(i)))
            print_pointer(mpi_call_at(i));
    puts("#endif");
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "macros") == 0)
        print_macros();
    else if (argc == 2 && strcmp(argv[1], "names") == 0)
        print_names();
    else if (argc == 2 && strcmp(argv[1], "places") == 0)
        print_places();
    else if (argc == 2 && strcmp(argv[1], "table") == 0)
        print_table();
    else {
        fputs("usage: generate macros|names|places|table\n", stderr);
        return 64;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
