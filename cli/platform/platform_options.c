/* SPDX-License-Identifier: Apache-2.0
 *
 * The table for `mpiskel platform` is made from the keys; see platform_options.h.
 */
#include "cli/platform/platform_options.h"

#include "cli/common/command_syntax.h"

#include <string.h>

#define OPTIONS struct platform_options

static int add_setting(struct platform_options *options, const char *key, const char *value,
                       struct error *error) {
    if (options->setting_count == sizeof options->settings / sizeof *options->settings)
        return error_set(error, "too many options");
    options->settings[options->setting_count++] = (struct platform_setting){key, value};
    return 0;
}

static int take_nodes(void *out, const char *text, struct error *error) {
    return add_setting(out, "hosts", text, error);
}

static int take_key(void *out, const struct command_option *option, const char *text,
                    struct error *error) {
    struct platform_options *options = out;
    bool is_file = strcmp(option->name, "placement") == 0 && strcmp(text, "block") != 0 &&
                   strcmp(text, "cyclic") != 0;
    if (!is_file)
        return add_setting(options, option->name, text, error);
    options->placement_file = text;
    return 0;
}

static const struct command_option own_rows[] = {
    {COMMON_OUTPUT(directory), .value = "DIR",
     .help = "Write platform.xml, hostfile and network.txt (the description with what was left "
             "open) there"},
    {COMMON_RANKS(ranks),
     .help = "Number of ranks in the hostfile (also -np N); default: all hosts full"},
    {OPTION_TEXT("draw", "FILE.svg", drawing), .help = "Draw the topology"},
    {OPTION_ON("print", print),
     .help = "Print the description, with its sources where it is a preset"},
    {OPTION_ON("list", list), .help = "List the presets"},
    {COMMON_FORMAT(format)},
    {OPTION_GROUP("Keys of the description:")},
    {OPTION_OWN("nodes", "N", take_nodes), .help = "The same as --hosts"}};

#define OWN_COUNT (sizeof own_rows / sizeof *own_rows)

/* Our own options, then the keys, then the end. The topology is no option: it is the argument. */
static void fill_table(struct command_option *table) {
    size_t count = OWN_COUNT;
    memcpy(table, own_rows, sizeof own_rows);
    for (const struct network_key *key = network_keys(); key->name != NULL; key++)
        if (strcmp(key->name, "topology") != 0)
            table[count++] = (struct command_option){
                .name = key->name, .value = key->unit, .take = take_key, .help = key->meaning};
    table[count] = (struct command_option){0};
}

static int check(void *input, struct error *error) {
    const struct platform_options *options = input;
    if (options->what == NULL && !options->list)
        return error_set(error, "which network? Give a topology, a preset (--list) or a file");
    if (options->ranks > 0 && options->directory == NULL)
        return error_set(error, "-np is for the hostfile: give -o DIR, too");
    return 0;
}

void platform_options_parse(struct platform_options *out, int argc, char **argv) {
    static struct command_option table[OWN_COUNT + 65];
    const struct command_syntax syntax = {
        .name = "mpiskel platform",
        .usage = "WHAT [--KEY VALUE...]",
        .about =
            "Write a SimGrid platform and hostfile from the description of a network, and tell "
            "what it is."
            "\vWHAT is a topology (switch, backbone, star, fat-tree, dragonfly, torus, ideal), a "
            "preset "
            "(--list) or a description file with lines KEY = VALUE, whose keys are those above "
            "(docs/how-to/describe-a-network.md). Options go before what the file says.\n\n"
            "Examples:\n"
            "  mpiskel platform fat-tree --nodes 1024 -o fabric --draw fabric.svg\n"
            "  mpiskel platform summit --print > mine.net    (then edit mine.net)\n"
            "  mpiskel run heat3d.skel -np 1024 --network mine.net -- 512 512 512 20\n\n"
            "Exit code: 0 fine, 1 failed, 64 usage.",
        .options = {table, check},
        .arguments = {OPTION_AT(const char *, what)},
        .argument_count = 1,
        .too_many = "one network at a time",
    };
    fill_table(table);
    *out = (struct platform_options){0};
    command_syntax_prepare(argc, argv);
    command_syntax_parse(&syntax, out, argc, argv);
}
