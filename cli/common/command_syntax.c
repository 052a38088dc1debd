/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows become a table of argp's; see command_syntax.h. Options of sets are listed among the
 * others: argp's children would put a blank line more around each.
 */
#include "cli/common/command_syntax.h"

#include "base/error.h"
#include "base/text/suggestion.h"
#include "base/vec.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

#define KEY_FIRST 0x100 /* of options without a letter */

struct placed_option {
    struct command_option option;
    void *options; /* the struct of its table */
};

struct syntax_parser {
    struct arena arena;
    const struct command_syntax *syntax;
    char *options;
    size_t argument_count;
    int group;
    VEC(struct placed_option) placed; /* by key - KEY_FIRST */
    VEC(struct argp_option) table;
};

/* ---- The table ---- */

#define GROUP_OF_ALL (-1) /* argp puts it last, with --help */

static const struct command_option options_of_all[] = {
    {.name = "quiet", .help = "Warnings and errors only, no notes, no progress"},
    {.name = "verbose", .help = "Tell which programs are started"},
    {0}};

static void place(struct syntax_parser *parser, const struct command_option *option, char *options,
                  int flags) {
    int key = KEY_FIRST + (int)parser->placed.count;
    vec_push(&parser->placed, (struct placed_option){*option, options});
    vec_push(&parser->table,
             (struct argp_option){.name = option->name,
                                  .key = option->letter != '\0' ? option->letter : key,
                                  .arg = option->value,
                                  .flags = flags,
                                  .doc = option->help,
                                  .group = parser->group});
}

static void add_option(struct syntax_parser *parser, const struct command_option *row,
                       char *options) {
    struct command_option option = command_option_complete(row);
    place(parser, &option, options, option.value_may_lack ? OPTION_ARG_OPTIONAL : 0);
}

static bool has_name(const struct syntax_parser *parser, const char *name) {
    for (size_t i = 0; i < parser->table.count; i++)
        if (parser->table.items[i].name != NULL && strcmp(parser->table.items[i].name, name) == 0)
            return true;
    return false;
}

/* What takes flags back is not listed. */
static void add_opposites(struct syntax_parser *parser) {
    size_t count = parser->placed.count;
    for (size_t i = 0; i < count; i++) {
        struct placed_option one = parser->placed.items[i];
        struct command_option opposite;
        if (command_option_opposite(&opposite, &parser->arena, &one.option) &&
            !has_name(parser, opposite.name))
            place(parser, &opposite, one.options, OPTION_HIDDEN);
    }
}

static void add_options_of_all(struct syntax_parser *parser) {
    parser->group = GROUP_OF_ALL;
    for (const struct command_option *row = options_of_all; row->name != NULL; row++)
        place(parser, row, NULL, 0);
}

static void begin_group(struct syntax_parser *parser, const struct command_option *row) {
    parser->group++;
    if (row->help != NULL)
        vec_push(&parser->table, (struct argp_option){.doc = row->help, .group = parser->group});
    if (row->set == NULL)
        return;
    for (const struct command_option *one = row->set->rows; !command_option_is_end(one); one++)
        add_option(parser, one, parser->options + row->at);
}

static void add_rows(struct syntax_parser *parser) {
    for (const struct command_option *row = parser->syntax->options.rows;
         !command_option_is_end(row); row++)
        if (row->begins_group)
            begin_group(parser, row);
        else
            add_option(parser, row, parser->options);
    add_opposites(parser);
    add_options_of_all(parser);
    vec_push(&parser->table, (struct argp_option){0});
}

/* ---- Words ---- */

static const struct placed_option *find(const struct syntax_parser *parser, int key) {
    for (size_t i = 0; i < parser->placed.count; i++) {
        const struct placed_option *one = &parser->placed.items[i];
        if (one->option.letter != '\0' ? one->option.letter == key : key == KEY_FIRST + (int)i)
            return one;
    }
    return NULL;
}

static int take_argument(struct syntax_parser *parser, const char *text, struct error *error) {
    const struct command_syntax *syntax = parser->syntax;
    int result = syntax->take != NULL ? syntax->take(parser->options, text, error) : 1;
    if (result != 1)
        return result;
    if (parser->argument_count < syntax->argument_count) {
        size_t at = syntax->arguments[parser->argument_count++];
        *(const char **)(void *)(parser->options + at) = text;
        return 0;
    }
    return syntax->too_many != NULL ? error_set(error, "'%s': %s", text, syntax->too_many)
                                    : error_set(error, "unexpected argument '%s'", text);
}

static void take_rest(struct syntax_parser *parser, char **words) {
    *(char ***)(void *)(parser->options + parser->syntax->rest) = words;
    parser->argument_count++;
}

static int check(const struct syntax_parser *parser, struct error *error) {
    const struct command_syntax *syntax = parser->syntax;
    const struct command_options *own = &syntax->options;
    if (syntax->missing != NULL && parser->argument_count == 0)
        return error_set(error, "%s", syntax->missing);
    if (own->check != NULL && own->check(parser->options, error) != 0)
        return -1;
    for (const struct command_option *row = own->rows; !command_option_is_end(row); row++)
        if (row->set != NULL && row->set->check != NULL &&
            row->set->check(parser->options + row->at, error) != 0)
            return -1;
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct syntax_parser *parser = state->input;
    const struct placed_option *placed = find(parser, key);
    struct error error = {0};
    int result = 0;
    if (placed != NULL && placed->options == NULL)
        messages_set(placed->option.name);
    else if (placed != NULL)
        result = command_option_set(placed->options, &placed->option, text, &error);
    else if (key == ARGP_KEY_ARG && parser->syntax->takes_rest)
        return ARGP_ERR_UNKNOWN; /* argp asks again with all of them */
    else if (key == ARGP_KEY_ARGS)
        take_rest(parser, state->argv + state->next);
    else if (key == ARGP_KEY_ARG)
        result = take_argument(parser, text, &error);
    else if (key == ARGP_KEY_END)
        result = check(parser, &error);
    else
        return ARGP_ERR_UNKNOWN;
    if (result != 0)
        argp_error(state, "%s", message_text(&parser->arena, error.text));
    return 0;
}

/* ---- Options that there are not ---- */

/* Its row by a whole name or the beginning of one, as getopt_long() finds it. */
static const struct argp_option *find_long(const struct syntax_parser *parser, const char *name,
                                           size_t length) {
    const struct argp_option *found = NULL;
    for (size_t i = 0; i < parser->table.count; i++) {
        const struct argp_option *row = &parser->table.items[i];
        if (row->name == NULL || strncmp(row->name, name, length) != 0)
            continue;
        found = row;
        if (row->name[length] == '\0')
            break;
    }
    return found;
}

static const struct argp_option *find_letter(const struct syntax_parser *parser, const char *word) {
    for (size_t i = 0; i < parser->table.count && word[1] != '\0' && word[2] == '\0'; i++)
        if (parser->table.items[i].key == word[1])
            return &parser->table.items[i];
    return NULL;
}

static bool is_of_argp(const char *name, size_t length) {
    return length > 0 &&
           (strncmp("help", name, length) == 0 || strncmp("usage", name, length) == 0);
}

bool command_syntax_is_of_all(const char *word) {
    static const char *const words[] = {"--help", "-?", "-h", "--usage", "--quiet", "--verbose"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void suggest(const struct syntax_parser *parser, const char *word, size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
    struct suggestion suggestion = {.word = name};
    for (size_t i = 0; i < parser->table.count; i++)
        if (parser->table.items[i].name != NULL)
            suggestion_offer(&suggestion, parser->table.items[i].name);
    if (suggestion.name == NULL)
        return; /* argp says what it says */
    fprintf(stderr, "%s: unrecognized option '%s'; did you mean '--%s'?\n", parser->syntax->name,
            word, suggestion.name);
    exit(EXIT_USAGE);
}

/* An option that stands before its command, such as mpirun's -np. */
static void refuse_before_command(const struct command_syntax *syntax, const char *word) {
    fprintf(stderr,
            "%s: unrecognized option '%s'; options of the command that is started stand behind it: "
            "%s %s\n",
            syntax->name, word, syntax->name, syntax->usage);
    exit(EXIT_USAGE);
}

static bool is_letter_of_none(const struct syntax_parser *parser, const char *word) {
    if (word[0] != '-' || word[1] == '-' || strchr("h?", word[1]) != NULL)
        return false;
    for (size_t i = 0; i < parser->table.count; i++)
        if (parser->table.items[i].key == word[1])
            return false;
    return true;
}

/* Ends the process if an option is unknown and looks like another one, or belongs behind the
 * command; -h becomes --help. Words behind an option that takes a value are values. */
static void look_for_slips(const struct syntax_parser *parser, int argc, char **argv) {
    static char help[] = "--help";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        const struct argp_option *row;
        bool is_long = strncmp(word, "--", 2) == 0;
        size_t length = is_long ? strcspn(word + 2, "=") : 0;
        if (word[0] != '-' && parser->syntax->takes_rest)
            return;
        row = is_long          ? find_long(parser, word + 2, length)
              : word[0] == '-' ? find_letter(parser, word)
                               : NULL;
        if (row == NULL && strcmp(word, "-h") == 0)
            argv[i] = help;
        if (is_long && row == NULL && !is_of_argp(word + 2, length))
            suggest(parser, word, length);
        if (parser->syntax->takes_rest && row == NULL &&
            (is_long ? !is_of_argp(word + 2, length) : is_letter_of_none(parser, word)))
            refuse_before_command(parser->syntax, word);
        if (row != NULL && row->arg != NULL && row->flags == 0 &&
            (!is_long || word[2 + length] == '\0'))
            i++;
    }
}

void command_syntax_parse(const struct command_syntax *syntax, void *options, int argc,
                          char **argv) {
    struct syntax_parser parser = {.syntax = syntax, .options = options};
    add_rows(&parser);
    const struct argp argp = {.options = parser.table.items,
                              .parser = parse,
                              .args_doc = syntax->usage,
                              .doc = syntax->about};
    argv[0] = (char *)syntax->name; /* is only read */
    look_for_slips(&parser, argc, argv);
    argp_parse(&argp, argc, argv, syntax->takes_rest ? ARGP_IN_ORDER : 0, NULL, &parser);
    vec_dispose(&parser.placed);
    vec_dispose(&parser.table);
    arena_dispose(&parser.arena);
}

int command_syntax_prepare(int argc, char **argv) {
    static char ranks[] = "-n";
    int end = 1;
    for (; end < argc && strcmp(argv[end], "--") != 0; end++)
        if (strcmp(argv[end], "-np") == 0)
            argv[end] = ranks;
    return end;
}

void command_syntax_split(int *argc, char **argv, char ***out_arguments, size_t *out_count) {
    int end = command_syntax_prepare(*argc, argv);
    int first = end < *argc ? end + 1 : end;
    *out_arguments = argv + first;
    *out_count = (size_t)(*argc - first);
    *argc = end;
}
