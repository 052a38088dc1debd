/* SPDX-License-Identifier: Apache-2.0
 *
 * Each unit is parsed, or taken from the cache; of functions that several define the linker's is
 * chosen; then units are modelled, and what only the whole program shows is checked (no main).
 */
#include "frontend/load.h"

#include "base/file.h"
#include "base/hash_table.h"
#include "base/process.h"
#include "base/status_line.h"
#include "base/str.h"
#include "frontend/cache/unit_cache.h"
#include "frontend/clang/clang.h"
#include "frontend/commands/compile_commands.h"
#include "frontend/commands/predefined_macros.h"
#include "frontend/program/build.h"
#include "frontend/program/names.h"
#include "frontend/program/program.h"
#include "frontend/program/sections.h"
#include "frontend/program/unit_record.h"

#include <stdlib.h>
#include <string.h>

/* ---- Weak symbols ---- */

/*
 * The recorded command with -S in place of -c, without optimizing and without -flto, which would
 * leave no symbols. In ELF's assembly a line `.weak NAME` makes a symbol weak, and one
 * that begins with `NAME:` defines it.
 */

/* The unit as assembly; NULL: it could not be compiled. */
static const char *weak_symbols_read(struct arena *arena, const struct compile_command *unit) {
    struct compile_arguments arguments;
    struct error ignored = {0};
    struct process_result result;
    char *text = NULL;
    const char *out = NULL;
    const char *directory = directory_temporary(arena, "mpiskel-weak", &ignored);
    if (directory == NULL)
        return NULL;
    const char *assembly = path_join(arena, directory, "unit.s");
    const char *log = path_join(arena, directory, "log");
    const char *const rest[] = {"-w", "-O0", "-fno-lto", "-S", unit->file, "-o", assembly};
    commands_build_arguments(&arguments, arena, unit);
    VEC(const char *) command = {0};
    for (const char *const *word = unit->environment; word != NULL && *word != NULL; word++)
        vec_push(&command, *word);
    vec_push(&command, unit->arguments.items[0]);
    for (int i = 0; i < arguments.count; i++)
        vec_push(&command, arguments.items[i]);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        vec_push(&command, rest[i]);
    vec_push(&command, NULL);
    struct process_options options = {
        .directory = unit->directory, .stdout_file = log, .stderr_file = log};
    if (process_run(&result, command.items, &options, &ignored) == 0 && result.exit_code == 0 &&
        file_read(&text, NULL, assembly, &ignored) == 0)
        out = arena_strdup(arena, text);
    free(text);
    vec_dispose(&command);
    directory_remove(directory, &ignored);
    return out;
}

/* Whether that assembly makes the symbol a weak one. */
static bool weak_symbols_has(const char *assembly, const char *name) {
    const char *directive = ".weak", *at = assembly;
    while (at != NULL && (at = strstr(at, directive)) != NULL) {
        at += strlen(directive);
        at += strspn(at, " \t");
        size_t length = strcspn(at, " \t\n,;");
        if (length == strlen(name) && strncmp(at, name, length) == 0)
            return true;
    }
    return false;
}

/* Whether it has the symbol at all, which inline functions need not; NULL is taken to have it. */
static bool weak_symbols_defines(const char *assembly, const char *name) {
    size_t length = strlen(name);
    for (const char *at = assembly; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, name, length) == 0 && at[length] == ':')
            return true;
    }
    return assembly == NULL;
}

/* ---- Aliases ---- */

/*
 * In: units. Out: names of the kind "alias", from keys to the declarations that they stand for. A
 * function that is defined under the name is what is called, whatever a weak alias says.
 *
 * Not handled: ifunc, which is refused; aliases in assembly.
 */

static const struct definition *definition_of(const struct program *program, const char *key) {
    for (size_t u = 0; u < program->units.count; u++) {
        const struct unit *unit = program->units.items[u];
        for (int i = 0; i < unit->definition_count; i++) {
            const struct definition *definition = &unit->definitions[i];
            bool defines = definition->body != NULL ||
                           (definition->variable != NULL && !definition->is_extern);
            if (defines && strcmp(definition->declaration->key, key) == 0)
                return definition;
        }
    }
    return NULL;
}

/* What nobody defines may be a function of a library. */
static const struct declaration *declaration_of(struct program *program, const char *symbol,
                                                const struct declaration *alias) {
    const struct definition *definition = definition_of(program, symbol);
    if (definition != NULL)
        return definition->declaration;
    struct declaration *declaration = ARENA_NEW(&program->arena, struct declaration);
    *declaration = (struct declaration){.kind = alias->kind,
                                        .name = symbol,
                                        .type = alias->type,
                                        .key = symbol,
                                        .external_linkage = true,
                                        .name_range = {-1, 0, 0}};
    return declaration;
}

static void add_alias(struct program *program, const char *key, const struct declaration *target) {
    if (strcmp(key, target->key) == 0)
        return;
    names_put(program->names, "alias", key, (void *)target);
    program->has_aliases = true;
}

static void note_attribute(struct program *program, const struct alias *alias) {
    const struct declaration *declaration = alias->declaration;
    if (alias->is_resolved) {
        program_report(program, alias->range, "error",
                       "which function '%s' is, '%s' decides while the program is loaded (ifunc), "
                       "which cannot be followed; set a pointer to a function in main instead",
                       declaration->name, alias->symbol);
        return;
    }
    if (!alias->is_reference && alias->target != NULL && declaration->kind == DECLARATION_FUNCTION)
        vec_push(&program->targets, alias->target);
    const struct definition *defined = definition_of(program, declaration->key);
    if (defined == NULL || (defined->variable != NULL && defined->declaration == declaration))
        add_alias(program, declaration->key,
                  alias->target != NULL ? alias->target
                                        : declaration_of(program, alias->symbol, declaration));
}

static bool is_name(int c) {
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static const char *take_name(struct program *program, const char **at) {
    *at += strspn(*at, " \t=");
    const char *begin = *at;
    while (is_name((unsigned char)**at))
        ++*at;
    return arena_strndup(&program->arena, begin, (size_t)(*at - begin));
}

/* `#pragma weak name = target`, of which the parser tells nothing. */
static void note_pragmas(struct program *program, const char *text) {
    for (const char *at = text; (at = strstr(at, "pragma")) != NULL;) {
        at += strlen("pragma");
        at += strspn(at, " \t");
        if (strncmp(at, "weak", strlen("weak")) != 0)
            continue;
        at += strlen("weak");
        const char *name = take_name(program, &at), *target = take_name(program, &at);
        const struct definition *definition =
            name[0] != '\0' && target[0] != '\0' ? definition_of(program, target) : NULL;
        if (definition != NULL && definition->body != NULL)
            vec_push(&program->targets, definition->declaration);
        if (definition != NULL && definition_of(program, name) == NULL)
            add_alias(program, name, definition->declaration);
    }
}

/* Once all units are read, and before any is built: notes them, so that program_declaration finds
 * what they name. What cannot be followed is an error with its place. */
static void aliases_note(struct program *program) {
    for (size_t u = 0; u < program->units.count; u++)
        for (int i = 0; i < program->units.items[u]->alias_count; i++)
            note_attribute(program, &program->units.items[u]->aliases[i]);
    for (size_t i = 0; i < program->files.count; i++)
        if (program->files.items[i]->in_project)
            note_pragmas(program, program->files.items[i]->text);
}

/* ---- Overridden ---- */

/*
 * Functions that several units define: the linker takes one definition, and the others are
 * overridden. In come all units of a program, before they become its model; an overridden
 * definition gets a key of its own, so that whoever calls the function calls the other one.
 * System V's rules for ELF: a strong definition before a weak one, of weak ones the first that is
 * linked. An inline definition may have no symbol at all (C11, 6.7.4; gcc's gnu_inline): compilers
 * call it or the one that has, which are meant to do the same, and the latter is taken. Compilers
 * are asked only about units that define a function that another one defines in another place, too
 * (weak_symbols_read).
 *
 * Variables need none of this: what any of their initialisers says is taken for possible, and the
 * skeleton's own link chooses as the application's does.
 */

struct overridden_search {
    struct program *program;
    const struct compile_command *commands;
    const char **assemblies; /* by unit; NULL: not asked */
};

struct external_definition {
    struct definition *definition;
    int unit;
};

/* What a definition gives to the linker. */
enum linkage { NO_SYMBOL, WEAK_SYMBOL, STRONG_SYMBOL };

static const char *symbol_of(const struct declaration *declaration) {
    return declaration->symbol != NULL ? declaration->symbol : declaration->name;
}

/* A gnu_inline definition may come before the function itself, which the unit's symbol is then. */
static bool is_redefined(const struct overridden_search *s, const struct external_definition *one) {
    const struct unit *unit = s->program->units.items[one->unit];
    for (const struct definition *other = one->definition + 1;
         other < unit->definitions + unit->definition_count; other++)
        if (other->body != NULL &&
            strcmp(other->declaration->key, one->definition->declaration->key) == 0)
            return true;
    return false;
}

static enum linkage linkage_of(struct overridden_search *s, const struct external_definition *one) {
    const char **assembly = &s->assemblies[one->unit];
    const char *name = symbol_of(one->definition->declaration);
    if (*assembly == NULL)
        *assembly = weak_symbols_read(&s->program->arena, &s->commands[one->unit]);
    if (is_redefined(s, one))
        return NO_SYMBOL;
    if (weak_symbols_has(*assembly, name))
        return WEAK_SYMBOL;
    return weak_symbols_defines(*assembly, name) ? STRONG_SYMBOL : NO_SYMBOL;
}

static bool is_in_same_text(const struct definition *one, const struct definition *other) {
    return one->range.file == other->range.file && one->range.begin == other->range.begin;
}

/* *taken is what is taken so far. */
static void choose(struct overridden_search *s, struct external_definition *taken,
                   struct external_definition other) {
    enum linkage old = linkage_of(s, taken), new = linkage_of(s, &other);
    bool is_before = s->commands[other.unit].link_position < s->commands[taken->unit].link_position;
    if (new > old || (new == WEAK_SYMBOL &&old == WEAK_SYMBOL &&is_before))
        *taken = other;
}

static void take(struct overridden_search *s, struct hash_table *table,
                 struct external_definition one) {
    const char *key = one.definition->declaration->key;
    struct external_definition *known = hash_table_find_text(table, key);
    if (known == NULL)
        *(struct external_definition *)hash_table_add_text(table, key, sizeof one) = one;
    else if (!is_in_same_text(known->definition, one.definition))
        choose(s, known, one);
}

/* The same text has the same key in all units, and is one function. */
static void override(struct overridden_search *s, struct hash_table *table,
                     struct external_definition one) {
    struct arena *arena = &s->program->arena;
    const struct declaration *declaration = one.definition->declaration;
    const struct external_definition *taken = hash_table_find_text(table, declaration->key);
    if (is_in_same_text(taken->definition, one.definition))
        return;
    enum linkage linkage = linkage_of(s, &one);
    if (linkage == STRONG_SYMBOL || (linkage == NO_SYMBOL && linkage_of(s, taken) == NO_SYMBOL))
        return;
    struct declaration *copy = ARENA_NEW(arena, struct declaration);
    *copy = *declaration;
    copy->overridden_by = copy->key;
    copy->key = arena_printf(arena, "%s overridden at %d:%u", copy->key, one.definition->range.file,
                             one.definition->range.begin);
    one.definition->declaration = copy;
}

typedef void visit(struct overridden_search *s, struct hash_table *table,
                   struct external_definition one);

static void for_each(struct overridden_search *s, struct hash_table *table, int count,
                     visit *each) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < s->program->units.items[i]->definition_count; k++) {
            struct definition *definition = &s->program->units.items[i]->definitions[k];
            if (definition->body != NULL && definition->declaration->external_linkage)
                each(s, table, (struct external_definition){definition, i});
        }
}

/* The program has a unit for each command; nothing is done where one could not be read. Two strong
 * definitions are left as they are, for who builds the model to report. */
static void overridden_find(struct program *program, const struct compile_command *commands,
                            int count) {
    struct overridden_search s = {.program = program, .commands = commands};
    struct hash_table table = {0};
    s.assemblies = ARENA_ARRAY(&program->arena, const char *, (size_t)count + 1);
    if ((int)program->units.count == count) {
        for_each(&s, &table, count, take);
        for_each(&s, &table, count, override);
    }
    hash_table_dispose(&table);
}

/* ---- Load ---- */

static void check_main(struct program *program) {
    struct range nowhere = {-1, 0, 0};
    if (program_function(program, "main") == NULL && program->error_count == 0)
        program_report(program, nowhere, "error",
                       "none of the %zu units defines main; name the executable with --link",
                       program->units.count);
}

static struct unit *load_unit(struct program *program, struct unit_cache *cache,
                              const struct parse_task *task) {
    struct unit_record record = {0};
    struct unit *unit =
        cache != NULL ? unit_cache_take(cache, program, task->command, &task->arguments) : NULL;
    if (unit != NULL)
        return unit;
    unit = clang_parse(program, task, &record);
    if (unit != NULL && cache != NULL)
        unit_cache_keep(cache, program, task->command, &task->arguments, unit, &record);
    unit_record_dispose(&record);
    return unit;
}

int program_load(struct program *out, const struct compile_command *commands, int command_count,
                 const char *root, struct externs *libraries, struct unit_cache *cache) {
    *out = (struct program){0};
    out->names = names_new();
    out->root = arena_strdup(&out->arena, root);
    out->libraries = libraries;
    struct builder builder = {.program = out};
    struct predefined_answers answers = {0};
    for (int i = 0; i < command_count; i++) {
        const struct predefined_macros *predefined = predefined_macros_of(&answers, &commands[i]);
        struct parse_task task = {.command = &commands[i], .is_for_gcc = predefined->is_gcc};
        commands_parse_arguments(&task.arguments, &out->arena, &commands[i], predefined);
        out->unit_being_read = i;
        status_line_show("parsing %d of %d units", i + 1, command_count);
        struct unit *unit = load_unit(out, cache, &task);
        if (unit == NULL)
            continue;
        if (unit->stays_whole)
            program_report(out, (struct range){-1, 0, 0}, "note",
                           "%s is C++ that cannot be read; it makes no MPI call and keeps "
                           "nothing of its own: it stays as it is",
                           program_relative(out, unit->path));
        vec_push(&out->units, unit);
    }
    overridden_find(out, commands, command_count);
    aliases_note(out);
    sections_note(out);
    for (size_t i = 0; i < out->units.count; i++) {
        out->unit_being_read = (int)i;
        build_unit(&builder, out->units.items[i], (int)i);
    }
    build_check_names(&builder);
    build_forwarders(&builder);
    build_own_mpi(&builder);
    predefined_answers_dispose(&answers); /* after the last unit was read */
    build_callees(&builder);
    vec_dispose(&builder.gotos);
    check_main(out);
    return out->error_count > 0 ? -1 : 0;
}
