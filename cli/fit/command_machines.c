/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel machines`: what a bundle's store knows of each machine, and how to carry it, rename it,
 * or take something out.
 *
 * The first argument says what to do, the second is the bundle. What changes the store says on
 * stderr what it did. A run that is forgotten would come back with the next `mpiskel fit` from its
 * samples file, so that gets another name, too.
 */
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "cli/common/opened.h"
#include "cli/print/machines_print.h"

#include "base/file.h"
#include "base/str.h"
#include "model/store/exchange.h"
#include "model/store/machine_name.h"
#include "model/store/store_machines.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

struct machines_options {
    const char *arguments[SYNTAX_ARGUMENTS]; /* action, bundle, ...; NULL: not given */
    const char *output;                      /* -o */
    const char *as;
    enum output_format format;
};

struct machines_command {
    struct machines_options options;
    struct opened opened;
    struct error error;
};

/* ---- Reports ---- */

static int list(struct machines_command *command) {
    struct opened *opened = &command->opened;
    struct machines machines;
    if (machines_read(&machines, opened->store, &opened->regions, &command->error) != 0)
        return -1;
    if (command->options.format == OUTPUT_JSON)
        machines_print_json(&machines, &opened->regions);
    else
        machines_print_text(&machines, &opened->regions);
    machines_dispose(&machines);
    return output_finish(&command->error);
}

static int fail_without_machine(struct machines_command *command, const struct machines *machines,
                                const char *name) {
    struct str names = {0};
    for (int i = 0; i < machines->count; i++)
        str_printf(&names, "%s%s", i > 0 ? ", " : "", machines->items[i].name);
    error_set(&command->error, "there is no run of machine '%s' in %s/store.db%s%s", name,
              command->opened.bundle, machines->count > 0 ? ", only of: " : "", str_text(&names));
    str_dispose(&names);
    return -1;
}

static int show(struct machines_command *command) {
    struct opened *opened = &command->opened;
    const char *name = command->options.arguments[2];
    struct machines machines;
    if (machines_read(&machines, opened->store, &opened->regions, &command->error) != 0)
        return -1;
    const struct machine *machine = machine_find(&machines, name);
    int result = machine != NULL ? 0 : fail_without_machine(command, &machines, name);
    if (result == 0 && command->options.format == OUTPUT_JSON)
        machine_print_json(machine, &opened->regions);
    else if (result == 0)
        machine_print_text(machine, &opened->regions);
    machines_dispose(&machines);
    return result == 0 ? output_finish(&command->error) : -1;
}

/* ---- From store to store ---- */

static int export_machine(struct machines_command *command) {
    const char *name = command->options.arguments[2], *path = command->options.output;
    if (!machine_is_name(name))
        return error_set(&command->error, "'%s' is no name of a machine", name);
    if (machine_export(path, command->opened.store, &command->opened.regions, name,
                       &command->error) != 0)
        return -1;
    note("machine '%s' written to %s; read it with `mpiskel machines import APP.skel %s`", name,
         path, path);
    return 0;
}

static int import_machine(struct machines_command *command) {
    const char *path = command->options.arguments[2];
    struct import_summary summary;
    if (machine_import(&summary, path, command->opened.store, &command->opened.regions,
                       command->options.as, &command->error) != 0)
        return -1;
    note("machine '%s': %d run%s with %lld sample%s imported", summary.machine, summary.runs,
         text_plural(summary.runs), summary.samples, text_plural(summary.samples));
    if (summary.runs_known > 0)
        note("%d run%s %s in the store already and stayed as %s", summary.runs_known,
             text_plural(summary.runs_known), summary.runs_known == 1 ? "was" : "were",
             summary.runs_known == 1 ? "it was" : "they were");
    if (!summary.same_bundle)
        note("the file is of another bundle: the code of %d of its %d regions is that of this "
             "one's, and their samples were taken",
             summary.regions_taken, summary.regions_in_file);
    if (summary.models > 0)
        note("%d model%s imported", summary.models, text_plural(summary.models));
    if (summary.network)
        note("its network imported; `mpiskel run ... --network machine:%s` uses it",
             summary.machine);
    if (summary.noise)
        note("its noise imported; `mpiskel run ... --machine %s` has it, and --noise-of machine:%s "
             "with other latencies",
             summary.machine, summary.machine);
    if (summary.models == 0 && summary.runs > 0)
        note("fit its models with `mpiskel fit %s --machine %s`", command->opened.bundle,
             summary.machine);
    return 0;
}

/* ---- Names and runs ---- */

static void tell_to_fit(const struct machines_command *command, const char *machine) {
    note("the models are as they were: `mpiskel fit %s --machine %s` makes them anew",
         command->opened.bundle, machine);
}

static int check_name(struct machines_command *command, const char *name) {
    if (machine_is_name(name))
        return 0;
    return error_set(&command->error,
                     "'%s': a machine's name has at most 64 letters, digits, '.', '_' and '-'",
                     name);
}

static int rename_machine(struct machines_command *command) {
    const char *old = command->options.arguments[2], *name = command->options.arguments[3];
    if (check_name(command, name) != 0 ||
        store_rename_machine(command->opened.store, old, name, &command->error) != 0)
        return -1;
    note("machine '%s' is '%s' now", old, name);
    return 0;
}

static int label_run(struct machines_command *command) {
    const char *run = command->options.arguments[2], *name = command->options.arguments[3];
    if (check_name(command, name) != 0 ||
        store_label_run(command->opened.store, command->opened.regions.bundle, run, name,
                        &command->error) != 0)
        return -1;
    note("run %s is of machine '%s' now", run, name);
    tell_to_fit(command, name);
    return 0;
}

/* The samples files of a run: one, or one for each rank if it ended early. */
static bool is_of_run(const char *path, const char *run) {
    const char *name = path_base(path);
    size_t length = strlen(run);
    if (strncmp(name, run, length) != 0)
        return false;
    name += length;
    if (text_has_prefix(name, "-rank"))
        name += strlen("-rank") + strspn(name + strlen("-rank"), "0123456789");
    return strcmp(name, ".samples") == 0;
}

static int put_aside(struct machines_command *command, const char *path) {
    const char *to = arena_printf(&command->opened.arena, "%s.forgotten", path);
    if (rename(path, to) != 0)
        return error_set(&command->error, "cannot rename %s: %s", path, strerror(errno));
    note("%s is %s now; give it its name back and run `mpiskel fit` to undo this", path,
         path_base(to));
    return 0;
}

static int put_files_aside(struct machines_command *command, const char *run) {
    glob_t files;
    int found =
        glob(samples_pattern(&command->opened.arena, command->opened.bundle), 0, NULL, &files);
    if (found == GLOB_NOMATCH)
        return 0;
    if (found != 0)
        return error_set(&command->error, "cannot list %s/samples", command->opened.bundle);
    int result = 0;
    for (size_t i = 0; i < files.gl_pathc && result == 0; i++)
        if (is_of_run(files.gl_pathv[i], run))
            result = put_aside(command, files.gl_pathv[i]);
    globfree(&files);
    return result;
}

static int forget_run(struct machines_command *command) {
    const char *run = command->options.arguments[2];
    if (store_forget_run(command->opened.store, command->opened.regions.bundle, run,
                         &command->error) != 0 ||
        put_files_aside(command, run) != 0)
        return -1;
    note("run %s is not in the store any more", run);
    note("the models are as they were: `mpiskel fit %s` makes them anew", command->opened.bundle);
    return 0;
}

/* ---- The command ---- */

static const struct machines_action {
    const char *name;
    int arguments; /* with the action and the bundle */
    const char *usage;
    int (*run)(struct machines_command *);
    bool makes_store;
} actions[] = {
    {"list", 2, "list APP.skel", list, false},
    {"show", 3, "show APP.skel NAME", show, false},
    {"export", 3, "export APP.skel NAME -o FILE", export_machine, false},
    {"import", 3, "import APP.skel FILE [--as NAME]", import_machine, true},
    {"rename", 4, "rename APP.skel OLD NEW", rename_machine, false},
    {"label", 4, "label APP.skel RUN NAME", label_run, false},
    {"forget", 3, "forget APP.skel RUN", forget_run, false},
};

static const struct machines_action *find_action(const char *name) {
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

#define OPTIONS struct machines_options
#define ACTIONS "list, show, export, import, rename, label or forget"

static int check(void *input, struct error *error) {
    const struct machines_options *options = input;
    const struct machines_action *action = find_action(options->arguments[0]);
    int count = 0;
    while (count < SYNTAX_ARGUMENTS && options->arguments[count] != NULL)
        count++;
    if (action == NULL)
        return error_set(error, "no action '%s': " ACTIONS, options->arguments[0]);
    if (count != action->arguments)
        return error_set(error, "usage: mpiskel machines %s", action->usage);
    if (options->output != NULL && action->run != export_machine)
        return error_set(error, "-o goes with export");
    if (options->output == NULL && action->run == export_machine)
        return error_set(error, "where to? Give -o FILE");
    if (options->as != NULL && action->run != import_machine)
        return error_set(error, "--as goes with import");
    return 0;
}

static const struct command_option rows[] = {
    {COMMON_OUTPUT(output), .help = "Of export: the file that is written"},
    {OPTION_MACHINE("as", "NAME", as),
     .help = "Of import: the machine's name in this store (default: as exported)"},
    {COMMON_FORMAT(format), .help = "Of list and show: how the report is printed (default: text)"},
    {0}};

static const struct command_syntax syntax = {
    .name = "mpiskel machines",
    .usage = "list APP.skel\nshow APP.skel NAME\nexport APP.skel NAME -o FILE\n"
             "import APP.skel FILE [--as NAME]\nrename APP.skel OLD NEW\n"
             "label APP.skel RUN NAME\nforget APP.skel RUN",
    .about =
        "The machines on which profiling runs of a bundle were made.\v"
        "A machine is a name that was given with `mpiskel fit --machine NAME`; models are fitted "
        "to the runs of one machine. To predict here for a machine over there:\n\n"
        "  there$ mpirun -np 4 APP.skel/profile ARGUMENTS\n"
        "  there$ mpiskel fit APP.skel --machine there\n"
        "  there$ mpiskel machines export APP.skel there -o there.machine\n"
        "  here$  mpiskel machines import APP.skel there.machine\n"
        "  here$  mpiskel fit APP.skel --machine there\n\n"
        "`rename` gives a machine another name, `label` gives one run to another machine, and "
        "`forget` takes a run out. A file of another bundle is taken as far as regions have the "
        "same code.",
    .options = {rows, check},
    ARGUMENTS_AT(arguments),
    .missing = "what to do? " ACTIONS,
};

int command_machines(int argc, char **argv) {
    struct machines_command command = {0};
    command_syntax_parse(&syntax, &command.options, argc, argv);
    const struct machines_action *action = find_action(command.options.arguments[0]);
    int result = opened_open(&command.opened, command.options.arguments[1], action->makes_store,
                             &command.error);
    if (result == 0)
        result = action->run(&command);
    if (result != 0)
        error_print(&command.error);
    opened_close(&command.opened);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
