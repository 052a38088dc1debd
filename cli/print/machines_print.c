/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines as tables and as JSON. A run's id begins with when it was made, year to second; other
 * ids are shown as they are.
 */
#include "cli/print/machines_print.h"

#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "cli/print/field/report_json.h"
#include "cli/print/field/report_text.h"
#include "cli/print/region_fields.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Descriptions ---- */

struct machine_run_row {
    struct stored_run of;
    json_t *arguments;
    const char *made, *words; /* in text */
};

struct machine_region_row {
    const struct region *region;
    struct region_sum sum;
    bool is_value;
    const char *place, *time; /* in text; time: with its share */
};

struct machine_row {
    struct machine of;
    const char **processors, **hosts, **models;
    size_t processor_count, host_count, model_count;
    int ranks_min, ranks_max;
    const char *first_run, *last_run;
    const char *ranks, *with_samples, *first, *last, *processor; /* in text */
    /* What `show` has; the rows NULL: it is not there. */
    struct machine_run_row *runs;
    struct machine_region_row *regions;
    size_t run_count, region_count;
    json_t *network, *noise;
};

struct machines_report {
    struct arena arena;
    const struct regions *regions;
    struct machine_row *rows;
    size_t row_count;
    const struct machine_row *shown; /* the one machine of `show` */
};

#define RUN(member) REPORT_AT(struct machine_run_row, member)

static const struct report_field run_fields[] = {
    {"run", RUN(of.run.id), REPORT_COLUMN("run", 0, -24)},
    {RUN(made), REPORT_COLUMN("made", 2, -16)},
    {"ranks", RUN(of.run.ranks), REPORT_COLUMN("ranks", 1, 6)},
    {RUN(of.total_s), REPORT_COLUMN("time, s", 1, 10), .format = "%.4g"},
    {RUN(of.samples), REPORT_COLUMN("samples", 1, 8)},
    {RUN(words), REPORT_COLUMN("arguments", 2, 0)},
    {"host", RUN(of.run.host)},
    {"cpu", RUN(of.run.cpu)},
    {"args", RUN(arguments)},
    {"clock", RUN(of.run.clock)},
    {"cache", RUN(of.run.cache)},
    {"complete", RUN(of.run.complete)},
    {"parts", RUN(of.parts)},
    {"samples", RUN(of.samples)},
    {"total_s", RUN(of.total_s)},
    {"elapsed_s", RUN(of.run.elapsed_s)},
    {"reference_s", RUN(of.run.reference_s)},
    {0},
};

#define REGION(member) REPORT_AT(struct machine_region_row, member)

static const struct report_field region_row_columns[] = {
    {REPORT_AT(struct region, index), REPORT_COLUMN("region", 0, 6)},
    {0},
};

static const struct report_field region_sum_fields[] = {
    {REPORT_PART_POINTER_AT(struct machine_region_row, region, region_index_fields)},
    {REPORT_PART_POINTER_AT(struct machine_region_row, region, region_row_columns)},
    {REGION(place), REPORT_COLUMN("place", 2, -28)},
    {"value", REGION(is_value)},
    {"samples", REGION(sum.samples), REPORT_COLUMN("samples", 1, 8)},
    {"total_s", REGION(sum.total_s)},
    {REGION(time), REPORT_COLUMN("   time, s   share", 2, 0)},
    {0},
};

#define MACHINE(member) REPORT_AT(struct machine_row, member)
#define NAMES(list, count) REPORT_ITEMS_AT(struct machine_row, list, count)

static const struct report_field machine_fields[] = {
    {"name", MACHINE(of.name), REPORT_COLUMN("machine", 0, -16)},
    {"processors", NAMES(processors, processor_count)},
    {"hosts", NAMES(hosts, host_count)},
    {"run_count", MACHINE(of.run_count), REPORT_COLUMN("runs", 1, 5)},
    {MACHINE(ranks), REPORT_COLUMN("ranks", 1, 7)},
    {MACHINE(with_samples), REPORT_COLUMN("regions", 1, 12)},
    {"ranks_min", MACHINE(ranks_min)},
    {"ranks_max", MACHINE(ranks_max)},
    {"region_count", MACHINE(of.region_count)},
    {"total_s", MACHINE(of.total_s), REPORT_COLUMN("time, s", 1, 10), .format = "%.4g"},
    {"first_run", MACHINE(first_run)},
    {"last_run", MACHINE(last_run)},
    {"models", NAMES(models, model_count)},
    {MACHINE(first), REPORT_COLUMN("first run", 2, -16)},
    {MACHINE(last), REPORT_COLUMN("last run", 2, -16)},
    {MACHINE(processor), REPORT_COLUMN("processor", 2, 0)},
    {0},
};

static const struct report_field details_fields[] = {
    {REPORT_FIELDS(machine_fields)},
    {"runs", REPORT_LIST_AT(struct machine_row, runs, run_count, run_fields)},
    {"regions", REPORT_LIST_AT(struct machine_row, regions, region_count, region_sum_fields)},
    {"network", MACHINE(network)},
    {"noise", MACHINE(noise)},
    {0},
};

static const struct report_field bundle_fields[] = {
    {"bundle", REPORT_AT(struct regions, bundle)},
    {"program", REPORT_AT(struct regions, program)},
    {0},
};

static const struct report_field list_fields[] = {
    {REPORT_PART_POINTER_AT(struct machines_report, regions, bundle_fields)},
    {"machines", REPORT_LIST_AT(struct machines_report, rows, row_count, machine_fields)},
    {0},
};

static const struct report_field show_fields[] = {
    {REPORT_PART_POINTER_AT(struct machines_report, regions, bundle_fields)},
    {"machine", REPORT_POINTER_AT(struct machines_report, shown, details_fields)},
    {0},
};

/* ---- Rows ---- */

/* Digits where the pattern has '0'. */
static bool has_form(const char *text, const char *pattern) {
    for (; *pattern != '\0'; text++, pattern++)
        if (*pattern == '0' ? !isdigit((unsigned char)*text) : *text != *pattern)
            return false;
    return true;
}

/* "2026-11-20 10:58" of 20261120-105812-4711. */
static const char *time_of(struct arena *arena, const char *run) {
    if (!has_form(run, "00000000-000000"))
        return run;
    return arena_printf(arena, "%.4s-%.2s-%.2s %.2s:%.2s", run, run + 4, run + 6, run + 9,
                        run + 11);
}

/* The different texts that `get` gives of the runs. */
static size_t different(const char ***out, struct arena *arena, const struct machine *machine,
                        const char *(*get)(const struct run *)) {
    const char **found = ARENA_ARRAY(arena, const char *, (size_t)machine->run_count + 1);
    size_t count = 0;
    for (int i = 0; i < machine->run_count; i++) {
        const char *text = get(&machine->runs[i].run);
        size_t same = 0;
        while (same < count && strcmp(found[same], text) != 0)
            same++;
        if (same == count)
            found[count++] = text;
    }
    *out = found;
    return count;
}

static const char *get_cpu(const struct run *run) {
    return run->cpu;
}

static const char *get_host(const struct run *run) {
    return run->host;
}

static const char *joined(struct arena *arena, const char *const *texts, size_t count) {
    struct str text = {0};
    for (size_t i = 0; i < count; i++)
        str_printf(&text, "%s%s", i > 0 ? ", " : "", texts[i]);
    return str_into(arena, &text);
}

/* The words between blanks. */
static size_t split(const char ***out, struct arena *arena, const char *text) {
    const char **words = ARENA_ARRAY(arena, const char *, strlen(text) + 1);
    size_t count = 0;
    for (const char *at = text + strspn(text, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        words[count++] = arena_strndup(arena, at, length);
        at += length;
    }
    *out = words;
    return count;
}

static void find_ranks(int *least, int *most, const struct machine *machine) {
    *least = *most = machine->run_count > 0 ? machine->runs[0].run.ranks : 0;
    for (int i = 1; i < machine->run_count; i++) {
        int ranks = machine->runs[i].run.ranks;
        *least = ranks < *least ? ranks : *least;
        *most = ranks > *most ? ranks : *most;
    }
}

/* Their ids; "-" where only the network of the machine is known. */
static const char *first_run(const struct machine *machine) {
    return machine->run_count > 0 ? machine->runs[0].run.id : "-";
}

static const char *last_run(const struct machine *machine) {
    return machine->run_count > 0 ? machine->runs[machine->run_count - 1].run.id : "-";
}

static void make_row(struct machine_row *out, struct arena *arena, const struct machine *machine,
                     const struct regions *regions) {
    *out = (struct machine_row){
        .of = *machine,
        .first_run = first_run(machine),
        .last_run = last_run(machine),
        .first = time_of(arena, first_run(machine)),
        .last = time_of(arena, last_run(machine)),
        .with_samples = arena_printf(arena, "%d of %d", machine->region_count, regions->count),
    };
    out->processor_count = different(&out->processors, arena, machine, get_cpu);
    out->host_count = different(&out->hosts, arena, machine, get_host);
    out->model_count = split(&out->models, arena, machine->statistics);
    out->processor = joined(arena, out->processors, out->processor_count);
    find_ranks(&out->ranks_min, &out->ranks_max, machine);
    out->ranks = out->ranks_min < out->ranks_max
                     ? arena_printf(arena, "%d..%d", out->ranks_min, out->ranks_max)
                     : arena_printf(arena, "%d", out->ranks_min);
}

static const char *words_of(struct arena *arena, const struct run *run) {
    struct str text = {0};
    size_t count = 0;
    const char *const *words = words_of_json(&count, arena, run->arguments);
    for (size_t i = 0; i < count; i++)
        words_add(&text, words[i]);
    str_printf(&text, "%s%s%s", strcmp(run->cache, "cold") == 0 ? "  (cold caches)" : "",
               strcmp(run->clock, "wall") == 0 ? "  (elapsed time)" : "",
               run->complete ? "" : "  (ended early)");
    return str_into(arena, &text);
}

static struct machine_run_row run_row_of(struct arena *arena, const struct stored_run *stored) {
    json_t *arguments = json_loads(stored->run.arguments, 0, NULL);
    return (struct machine_run_row){
        .of = *stored,
        .arguments = arguments != NULL ? arguments : json_array(),
        .made = time_of(arena, stored->run.id),
        .words = words_of(arena, &stored->run),
    };
}

static struct machine_region_row region_row_of(struct arena *arena, const struct machine *machine,
                                               const struct region *region) {
    const struct region_sum *sum = &machine->regions[region->index];
    double share = machine->total_s > 0 ? 100 * sum->total_s / machine->total_s : 0;
    bool is_value = region->value != VALUE_NONE;
    return (struct machine_region_row){
        .region = region,
        .sum = *sum,
        .is_value = is_value,
        .place = arena_printf(arena, "%s:%d", region->file, region->line),
        .time = sum->samples == 0 ? "no samples"
                : is_value        ? "     value"
                                  : arena_printf(arena, "%10.4g %6.1f%%", sum->total_s, share),
    };
}

static void add_details(struct machine_row *out, struct arena *arena,
                        const struct regions *regions) {
    const struct machine *machine = &out->of;
    out->run_count = (size_t)machine->run_count;
    out->region_count = (size_t)regions->count;
    out->runs = ARENA_ARRAY(arena, struct machine_run_row, out->run_count + 1);
    out->regions = ARENA_ARRAY(arena, struct machine_region_row, out->region_count + 1);
    for (size_t i = 0; i < out->run_count; i++)
        out->runs[i] = run_row_of(arena, &machine->runs[i]);
    for (size_t i = 0; i < out->region_count; i++)
        out->regions[i] = region_row_of(arena, machine, &regions->items[i]);
    out->network = machine->network != NULL ? network_to_json(machine->network) : NULL;
    out->noise = machine->noise != NULL ? noise_to_json(machine->noise) : NULL;
}

static void make_report(struct machines_report *out, const struct machine *machines, size_t count,
                        const struct regions *regions) {
    *out = (struct machines_report){.regions = regions, .row_count = count};
    out->rows = ARENA_ARRAY(&out->arena, struct machine_row, count + 1);
    for (size_t i = 0; i < count; i++)
        make_row(&out->rows[i], &out->arena, &machines[i], regions);
}

static void dispose_report(struct machines_report *report) {
    for (size_t i = 0; i < report->row_count; i++) {
        for (size_t k = 0; k < report->rows[i].run_count; k++)
            json_decref(report->rows[i].runs[k].arguments);
        json_decref(report->rows[i].network);
        json_decref(report->rows[i].noise);
    }
    arena_dispose(&report->arena);
}

/* ---- The list ---- */

void machines_print_text(const struct machines *machines, const struct regions *regions) {
    struct machines_report report;
    if (machines->count == 0) {
        puts("no runs of this bundle; run the profiling build and `mpiskel fit`");
        return;
    }
    make_report(&report, machines->items, (size_t)machines->count, regions);
    report_text_table(stdout, machine_fields, report.rows, report.row_count, sizeof *report.rows,
                      report.row_count);
    dispose_report(&report);
}

void machines_print_json(const struct machines *machines, const struct regions *regions) {
    struct machines_report report;
    make_report(&report, machines->items, (size_t)machines->count, regions);
    report_json_print(stdout, "mpiskel-machines", 1, list_fields, &report);
    dispose_report(&report);
}

/* ---- One machine ---- */

/* Lines of comments tell the same. */
static void print_description(const char *line) {
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        if (line[0] != '#')
            printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_noise(const struct stored_noise *noise) {
    printf("\nnoise: measured on %s, %s UTC; INTERVAL COST VARIATION of each kind of interruption, "
           "and what latencies hold of them\n",
           noise->host, noise->made);
    print_description(noise->description);
}

static void print_network(const struct stored_network *network) {
    printf("\nnetwork: measured on %s, %s UTC, with '%s'; its own round trips are predicted with a "
           "median error of %.1f %%, at most %.1f %%\n",
           network->host, network->made, network->launcher, 100 * network->error,
           100 * network->worst);
    print_description(network->description);
}

static void make_details(struct machines_report *out, const struct machine *machine,
                         const struct regions *regions) {
    make_report(out, machine, 1, regions);
    add_details(&out->rows[0], &out->arena, regions);
    out->shown = &out->rows[0];
}

void machine_print_text(const struct machine *machine, const struct regions *regions) {
    struct machines_report report;
    make_details(&report, machine, regions);
    const struct machine_row *row = report.shown;
    printf("machine %s of %s, bundle %s\nprocessor: %s\nhost: %s\nmodels: %s\n\n", machine->name,
           regions->program, regions->bundle, row->processor,
           joined(&report.arena, row->hosts, row->host_count),
           machine->statistics[0] != '\0' ? machine->statistics : "none");
    report_text_table(stdout, run_fields, row->runs, row->run_count, sizeof *row->runs,
                      row->run_count);
    putchar('\n');
    report_text_table(stdout, region_sum_fields, row->regions, row->region_count,
                      sizeof *row->regions, row->region_count);
    if (machine->network != NULL)
        print_network(machine->network);
    if (machine->noise != NULL)
        print_noise(machine->noise);
    dispose_report(&report);
}

void machine_print_json(const struct machine *machine, const struct regions *regions) {
    struct machines_report report;
    make_details(&report, machine, regions);
    report_json_print(stdout, "mpiskel-machine-details", 1, show_fields, &report);
    dispose_report(&report);
}
