/* SPDX-License-Identifier: Apache-2.0
 *
 * See check_objects.h. Functions in them are taken as any without source, which read and write what
 * they are handed. What else they would reach is refused: MPI, and by name what is the program's.
 *
 * Not handled: names that only __asm__ or the attribute alias gives to functions of the program.
 */
#include "skeletonizer/check_objects.h"

#include "base/file.h"
#include "base/str.h"

#include <string.h>

struct object_check {
    struct program *program;
    const struct binutils *binutils;
};

/* A variable of the program among the symbols: one that it defines, or only declares. */
static const char *program_variable(struct object_check *c, const char *text, bool is_defined) {
    const struct program *program = c->program;
    for (size_t i = 0; i < program->objects.count; i++) {
        const struct object *object = program->objects.items[i];
        if (object->kind == OBJECT_VARIABLE && object->is_defined == is_defined &&
            object->declaration->external_linkage &&
            binutils_find(&c->program->arena, text, object->name, true) != NULL)
            return object->name;
    }
    return NULL;
}

/* A variable or a function that the program defines, among the symbols. */
static const char *program_symbol(struct object_check *c, const char *text) {
    const struct program *program = c->program;
    for (size_t i = 0; i < program->functions.count; i++) {
        const struct function *function = program->functions.items[i];
        if (function->declaration->external_linkage &&
            binutils_find(&c->program->arena, text, function->name, true) != NULL)
            return function->name;
    }
    return program_variable(c, text, true);
}

/* Data alone changes nothing by itself; what `nm` cannot read may have some. */
static bool has_functions(struct object_check *c, const char *path) {
    const char *text =
        binutils_symbols(c->binutils, (const char *[]){"--defined-only", NULL}, path);
    static const char *const kinds[] = {" T ", " t ", " W ", " i "};
    bool found = text[0] == '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        found = found || strstr(text, kinds[i]) != NULL;
    return found;
}

static bool object_error(struct object_check *c, const char *path, const char *does,
                         const char *name, const char *advice) {
    if (name == NULL)
        return false;
    program_report(c->program, (struct range){-1, 0, 0}, "error",
                   "%s %s '%s' and was not compiled from C in the recorded build, so that what it "
                   "does there is not known: let the build that is captured compile it from C "
                   "(`make clean` before it), or %s",
                   path, does, name, advice);
    return true;
}

/* Not of any format, or with the code of a compiler's own in it (-flto). */
static bool is_unreadable(struct object_check *c, const char *path, const char *asked,
                          const char *defined) {
    bool is_empty = asked[0] == '\0' && defined[0] == '\0';
    if (!is_empty && binutils_find(&c->program->arena, defined, "__gnu_lto_slim", true) == NULL)
        return false;
    program_report(c->program, (struct range){-1, 0, 0}, "error",
                   "%s was not compiled from C in the recorded build, and `nm` tells nothing of "
                   "what it calls: compile it without -flto",
                   path);
    return true;
}

static bool is_fine(struct object_check *c, const char *path) {
    static const char *const pass = "hand over what it needs as arguments";
    static const char *const make = "make its MPI calls in a C file";
    const char *asked = binutils_symbols(c->binutils, (const char *[]){"-g", "-u", NULL}, path);
    const char *defined =
        binutils_symbols(c->binutils, (const char *[]){"-g", "--defined-only", NULL}, path);
    const char *shared = has_functions(c, path) ? program_variable(c, defined, false) : NULL;
    const char *shown = path_inside(c->program->root, path)
                            ? path_relative(&c->program->arena, c->program->root, path)
                            : path;
    return !is_unreadable(c, shown, asked, defined) &&
           !object_error(c, shown, "calls", binutils_find_mpi(&c->program->arena, asked), make) &&
           !object_error(c, shown, "uses the program's", program_symbol(c, asked), pass) &&
           !object_error(c, shown, "defines, as the program does,", program_symbol(c, defined),
                         "give it another name") &&
           !object_error(c, shown, "has functions and the program's variable", shared, pass);
}

static bool is_other_source(const char *word) {
    static const char *const suffixes[] = {".s",   ".S",   ".sx",  ".f",   ".F",   ".f90",
                                           ".F90", ".f95", ".F95", ".f03", ".f08", ".for"};
    bool found = false;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        found = found || text_has_suffix(word, suffixes[i]);
    return found && word[0] != '-';
}

/* But for what `cc -S` has made of C. */
static void check_words(struct program *program, const struct commands *commands,
                        const struct link_command *link) {
    for (size_t i = 1; i < link->arguments.count; i++)
        if (is_other_source(link->arguments.items[i]) &&
            strcmp(link->arguments.items[i - 1], "-o") != 0 &&
            !link_arguments_is_made_here(commands, link->inputs.items[i]))
            program_report(program, (struct range){-1, 0, 0}, "error",
                           "%s is no C and is compiled and linked in one command, so that there "
                           "is no object that tells what it calls: compile it by a command of its "
                           "own (-c), and link the object",
                           link->arguments.items[i]);
}

void check_objects_sources(struct program *program, const struct commands *commands,
                           const struct link_command *link) {
    link_list links = {0};
    link_arguments_links(&links, commands, link);
    for (size_t i = 0; i < links.count; i++)
        check_words(program, commands, links.items[i]);
    vec_dispose(&links);
}

void check_objects(link_objects *out, struct program *program, const struct binutils *binutils,
                   const struct commands *commands, const struct link_command *link) {
    struct object_check check = {program, binutils};
    link_objects objects = {0};
    link_arguments_objects(&objects, commands, link);
    for (size_t i = 0; i < objects.count; i++)
        if (is_fine(&check, objects.items[i]))
            vec_push(out, objects.items[i]);
    vec_dispose(&objects);
}
