/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the texts of the project's files. Out: an error where a function of MPI gets, or is reached
 * by, another name than its own, since the simulation's calls go by names: `#pragma weak`, the
 * attribute alias, the linker's --wrap. Only texts tell, for libclang shows none of these.
 *
 * An error likewise where a method, a function of a namespace, or a member that is called has such
 * a name, since in the programs of a bundle these names are macros. MPI reserves them
 * (C binding issues).
 */
#include "frontend/program/build.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Of the word there; empty: it names no function of MPI. */
static const char *mpi_name_at(struct program *program, const char *text) {
    size_t length = 0;
    while (is_of_word(text[length]))
        length++;
    const char *word = arena_strndup(&program->arena, text, length);
    bool begins = text_has_prefix(word, "MPI_") || text_has_prefix(word, "PMPI_");
    return begins && mpi_call_find(word) != NULL ? word : "";
}

static void report(struct program *program, int file, const char *at, const char *name) {
    unsigned begin = (unsigned)(at - program->files.items[file]->text);
    program_report(program, (struct range){file, begin, begin + (unsigned)strlen(name)}, "error",
                   "'%s' is another name of a function here, which calls in the simulation do not "
                   "go by; define it as a function that calls the other one",
                   name);
}

/* The first one between the two places. */
static void report_first(struct program *program, int file, const char *begin, const char *end) {
    for (const char *at = begin; at < end; at++) {
        bool begins = is_of_word(*at) && (at == begin || !is_of_word(at[-1]));
        const char *name = begins ? mpi_name_at(program, at) : "";
        if (name[0] != '\0') {
            report(program, file, at, name);
            return;
        }
    }
}

/* Without `=` it names nothing. */
static void check_weak(struct program *program, int file) {
    for (const char *at = program->files.items[file]->text;
         (at = strstr(at, "#pragma weak")) != NULL; at++) {
        const char *end = at + strcspn(at, "=\n");
        if (*end == '=')
            report_first(program, file, at, end);
    }
}

/* What stands in front of the attribute, in the same declaration. */
static void check_aliases(struct program *program, int file) {
    const char *text = program->files.items[file]->text;
    for (const char *at = text; (at = strstr(at, "alias")) != NULL; at++) {
        const char *behind = at + strlen("alias"), *begin = at;
        behind += strspn(behind, "_ ");
        if (behind[0] != '(' || behind[1 + strspn(behind + 1, " ")] != '"')
            continue;
        while (begin > text && strchr(";}", begin[-1]) == NULL)
            begin--;
        report_first(program, file, begin, at);
    }
}

static void check_wraps(struct program *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        const char *name = function->name + strlen("__wrap_");
        if (function->origin == NULL && text_has_prefix(function->name, "__wrap_") &&
            mpi_call_find(name) != NULL)
            program_report(program, function->range, "error",
                           "the linker's --wrap leads calls of '%s' here, and calls in the "
                           "simulation do not go by it; define %s itself and call P%s",
                           name, name, name);
    }
}

void program_report_taken_name(struct program *program, struct range range, const char *name) {
    program_report(program, range, "error",
                   "names of MPI's functions are macros in the programs of a bundle, so nothing "
                   "else may have the name %s, which MPI reserves; give it another one",
                   name);
}

static void check_taken(struct program *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        const char *name = function->name;
        for (const char *at = name; (at = strstr(at, "::")) != NULL;)
            name = at += strlen("::");
        if (function->origin == NULL && name != function->name && mpi_call_find(name) != NULL)
            program_report_taken_name(program, function->range, name);
    }
}

void build_check_names(struct builder *b) {
    struct program *program = b->program;
    for (size_t i = 0; i < program->files.count; i++) {
        if (!program->files.items[i]->in_project)
            continue;
        check_weak(program, (int)i);
        check_aliases(program, (int)i);
    }
    check_wraps(program);
    check_taken(program);
}

bool program_names_mpi(struct program *program) {
    for (size_t i = 0; i < program->files.count; i++) {
        const char *at = program->files.items[i]->text;
        while (program->files.items[i]->in_project && (at = strstr(at, "MPI_")) != NULL) {
            const char *begin = at > program->files.items[i]->text && at[-1] == 'P' ? at - 1 : at;
            const char *name = mpi_name_at(program, begin);
            bool quoted = begin > program->files.items[i]->text && begin[-1] == '"';
            if (quoted && name[0] != '\0' && begin[strlen(name)] == '"')
                return true;
            at += strlen("MPI_");
        }
    }
    return false;
}
