/* SPDX-License-Identifier: Apache-2.0
 *
 * How the application is compiled and linked: compile_commands.json, and what is linked into each
 * executable, from link_commands.json (mpiskel capture) or CMake's link.txt files.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

struct compile_command {
    const char *directory;          /* absolute */
    const char *file;               /* absolute */
    const char *output;             /* absolute; the object file, or NULL if not told */
    VEC(const char *) arguments;    /* argv of the compiler, itself included */
    const char *const *environment; /* words in front of its compiler, build_environment.h */
    bool is_cxx;                    /* a source in C++ */
    bool in_archive;                /* linked out of a static library: if anything needs it */
    const char *overwritten; /* a file that is another one than it read; NULL: there is none */
    size_t link_position;    /* the word of the link command that it comes by */
};

/* What a linker read: a member of a static library, or (archive NULL) an object by its path. */
struct link_member {
    const char *archive, *name;
};

struct link_command {
    const char *directory, *output; /* absolute */
    const char *const *environment; /* as of a compile command; NULL: not known */
    VEC(const char *) arguments;
    /* The file that each argument names: a path, or -lNAME in the -L directories, or what was made
     * where that is a symbolic link or a copy of it; NULL for an option and for a library that lies
     * elsewhere. */
    VEC(const char *) inputs;
    const char *contents; /* hashes of what was linked, in hexadecimal digits; NULL: not known */
    /* link_trace.h: what the linker reads; looked for where a library of the project is linked. */
    VEC(struct link_member) members;
    bool is_traced, has_members; /* asked, and with an answer */
};

struct commands {
    struct arena arena;
    const char *path; /* of the compile database */
    VEC(struct compile_command) compiles;
    VEC(struct link_command) links;
};

/* Reads a compile database, or the one in a directory, and the link commands beside it. */
int commands_read(struct commands *out, const char *path, struct error *error);
void commands_dispose(struct commands *commands);

/* Leaves only the units that are linked into the executable `name` (its path, or the last part of
 * it; NULL: the only one there is). *out_link is NULL when nothing is known about linking, and all
 * units are taken as one program. */
int commands_select(struct commands *commands, const char *name,
                    const struct link_command **out_link, struct error *error);

struct compile_arguments {
    const char **items;
    int count;
};

struct predefined_macros;

/* The arguments that matter to a parser (-I, -D, -std, ...), absolute, and those for SMPI's mpi.h;
 * with what the command's compiler predefines (predefined_macros.h). */
void commands_parse_arguments(struct compile_arguments *out, struct arena *arena,
                              const struct compile_command *command,
                              const struct predefined_macros *predefined);

/* `arguments`, and where headers are that only gcc has: behind all others, and for those only that
 * need them, since some of them are other ones than clang's. */
void commands_with_compiler_headers(struct compile_arguments *out, struct arena *arena,
                                    const char *const *arguments, int count);

bool commands_have(const struct compile_command *command, const char *option);

/* The arguments for compiling a rewritten unit with the same options: everything but the compiler,
 * the input, -c, -o, dependency files and sanitizers; relative paths made absolute. */
void commands_build_arguments(struct compile_arguments *out, struct arena *arena,
                              const struct compile_command *command);

/* The first option of the command that asks for a sanitizer, such as -fsanitize=address; NULL: none
 * does. */
const char *commands_sanitizer(const struct compile_command *command);

/* The deepest directory that holds all the units. */
char *commands_sources(struct arena *arena, const struct commands *commands);

/* Where SMPI's mpi.h lies, such as /usr/include/smpi; NULL: not found. */
const char *commands_smpi_include(struct arena *arena);
