/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines as tables and as JSON. A run's id begins with when it was made, year to second; other
 * ids are shown as they are.
 */
#include "cli/report/machines_print.h"

#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "model/samples/records.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- What both forms tell ---- */

/* Digits where the pattern has '0'. */
static bool has_form(const char *text, const char *pattern) {
    for (; *pattern != '\0'; text++, pattern++)
        if (*pattern == '0' ? !isdigit((unsigned char)*text) : *text != *pattern)
            return false;
    return true;
}

/* "2026-11-20 10:58" of 20261120-105812-4711. */
static void add_time(struct str *out, const char *run) {
    if (has_form(run, "00000000-000000"))
        str_printf(out, "%.4s-%.2s-%.2s %.2s:%.2s", run, run + 4, run + 6, run + 9, run + 11);
    else
        str_add(out, run);
}

/* The different texts that `get` gives of the runs. */
typedef VEC(const char *) text_list;
static text_list different(const struct machine *machine, const char *(*get)(const struct run *)) {
    text_list found = {0};
    for (int i = 0; i < machine->run_count; i++) {
        const char *text = get(&machine->runs[i].run);
        size_t same = 0;
        while (same < found.count && strcmp(found.items[same], text) != 0)
            same++;
        if (same == found.count)
            vec_push(&found, text);
    }
    return found;
}

static const char *get_cpu(const struct run *run) {
    return run->cpu;
}

static const char *get_host(const struct run *run) {
    return run->host;
}

static void add_different(struct str *out, const struct machine *machine,
                          const char *(*get)(const struct run *)) {
    text_list found = different(machine, get);
    for (size_t i = 0; i < found.count; i++)
        str_printf(out, "%s%s", i > 0 ? ", " : "", found.items[i]);
    vec_dispose(&found);
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

/* ---- Text ---- */

static void print_row(const struct machine *machine, const struct regions *regions) {
    struct str ranks = {0}, first = {0}, last = {0}, what = {0}, with = {0};
    int least = 0, most = 0;
    find_ranks(&least, &most, machine);
    str_printf(&ranks, least < most ? "%d..%d" : "%d", least, most);
    add_time(&first, first_run(machine));
    add_time(&last, last_run(machine));
    add_different(&what, machine, get_cpu);
    str_printf(&with, "%d of %d", machine->region_count, regions->count);
    printf("%-16s %5d %7s %12s %10.4g  %-16s  %-16s  %s\n", machine->name, machine->run_count,
           ranks.text, with.text, machine->total_s, first.text, last.text, str_text(&what));
    str_dispose(&ranks);
    str_dispose(&first);
    str_dispose(&last);
    str_dispose(&what);
    str_dispose(&with);
}

void machines_print_text(const struct machines *machines, const struct regions *regions) {
    if (machines->count == 0) {
        puts("no runs of this bundle; run the profiling build and `mpiskel fit`");
        return;
    }
    printf("%-16s %5s %7s %12s %10s  %-16s  %-16s  %s\n", "machine", "runs", "ranks", "regions",
           "time, s", "first run", "last run", "processor");
    for (int i = 0; i < machines->count; i++)
        print_row(&machines->items[i], regions);
}

static void add_arguments(struct str *out, const struct run *run) {
    struct arena arena;
    size_t count = 0;
    arena_init(&arena);
    const char *const *words = words_of_json(&count, &arena, run->arguments);
    for (size_t i = 0; i < count; i++)
        words_add(out, words[i]);
    arena_dispose(&arena);
}

static void print_run(const struct stored_run *stored) {
    const struct run *run = &stored->run;
    struct str time = {0}, arguments = {0};
    add_time(&time, run->id);
    add_arguments(&arguments, run);
    printf("%-24s  %-16s %6d %10.4g %8lld  %s%s%s%s\n", run->id, time.text, run->ranks,
           stored->total_s, stored->samples, str_text(&arguments),
           strcmp(run->cache, "cold") == 0 ? "  (cold caches)" : "",
           strcmp(run->clock, "wall") == 0 ? "  (elapsed time)" : "",
           run->complete ? "" : "  (ended early)");
    str_dispose(&time);
    str_dispose(&arguments);
}

static void print_region(const struct machine *machine, const struct region *region) {
    const struct region_sum *sum = &machine->regions[region->index];
    struct str place = {0};
    str_printf(&place, "%s:%d", region->file, region->line);
    printf("%6d  %-28s %8lld", region->index, place.text, sum->samples);
    if (sum->samples == 0)
        puts("  no samples");
    else if (region->value != VALUE_NONE)
        puts("       value");
    else
        printf("  %10.4g %6.1f%%\n", sum->total_s,
               machine->total_s > 0 ? 100 * sum->total_s / machine->total_s : 0);
    str_dispose(&place);
}

/* Lines of comments tell the same. */
static void print_network(const struct stored_network *network) {
    printf("\nnetwork: measured on %s, %s UTC, with '%s'; its own round trips are predicted with a "
           "median error of %.1f %%, at most %.1f %%\n",
           network->host, network->made, network->launcher, 100 * network->error,
           100 * network->worst);
    for (const char *line = network->description; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (line[0] != '#')
            printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void machine_print_text(const struct machine *machine, const struct regions *regions) {
    struct str cpus = {0}, hosts = {0};
    add_different(&cpus, machine, get_cpu);
    add_different(&hosts, machine, get_host);
    printf("machine %s of %s, bundle %s\nprocessor: %s\nhost: %s\nmodels: %s\n\n", machine->name,
           regions->program, regions->bundle, str_text(&cpus), str_text(&hosts),
           machine->statistics[0] != '\0' ? machine->statistics : "none");
    printf("%-24s  %-16s %6s %10s %8s  %s\n", "run", "made", "ranks", "time, s", "samples",
           "arguments");
    for (int i = 0; i < machine->run_count; i++)
        print_run(&machine->runs[i]);
    printf("\n%6s  %-28s %8s  %10s %7s\n", "region", "place", "samples", "time, s", "share");
    for (int i = 0; i < regions->count; i++)
        print_region(machine, &regions->items[i]);
    if (machine->network != NULL)
        print_network(machine->network);
    str_dispose(&cpus);
    str_dispose(&hosts);
}

/* ---- JSON ---- */

static json_t *texts_to_json(const struct machine *machine,
                             const char *(*get)(const struct run *)) {
    json_t *list = json_array();
    text_list found = different(machine, get);
    for (size_t i = 0; i < found.count; i++)
        json_array_append_new(list, json_string(found.items[i]));
    vec_dispose(&found);
    return list;
}

static json_t *words_to_json(const char *text) {
    json_t *list = json_array();
    for (const char *at = text + strspn(text, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        json_array_append_new(list, json_stringn(at, length));
        at += length;
    }
    return list;
}

static json_t *machine_to_json(const struct machine *machine) {
    int least = 0, most = 0;
    find_ranks(&least, &most, machine);
    return json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:f, s:s, s:s, s:o}", "name",
                     machine->name, "processors", texts_to_json(machine, get_cpu), "hosts",
                     texts_to_json(machine, get_host), "run_count", machine->run_count, "ranks_min",
                     least, "ranks_max", most, "region_count", machine->region_count, "total_s",
                     machine->total_s, "first_run", first_run(machine), "last_run",
                     last_run(machine), "models", words_to_json(machine->statistics));
}

static json_t *stored_run_to_json(const struct stored_run *stored) {
    const struct run *run = &stored->run;
    json_t *arguments = json_loads(run->arguments, 0, NULL);
    return json_pack("{s:s, s:i, s:s, s:s, s:o, s:s, s:s, s:b, s:i, s:I, s:f, s:f, s:f}", "run",
                     run->id, "ranks", run->ranks, "host", run->host, "cpu", run->cpu, "args",
                     arguments != NULL ? arguments : json_array(), "clock", run->clock, "cache",
                     run->cache, "complete", (int)run->complete, "parts", stored->parts, "samples",
                     (json_int_t)stored->samples, "total_s", stored->total_s, "elapsed_s",
                     run->elapsed_s, "reference_s", run->reference_s);
}

static json_t *region_sum_to_json(const struct machine *machine, const struct region *region) {
    const struct region_sum *sum = &machine->regions[region->index];
    return json_pack("{s:i, s:s, s:s, s:i, s:b, s:I, s:f}", "index", region->index, "id",
                     region->id, "file", region->file, "line", region->line, "value",
                     region->value != VALUE_NONE, "samples", (json_int_t)sum->samples, "total_s",
                     sum->total_s);
}

/* Takes `content`. */
static void print_json(const char *format, const struct regions *regions, const char *key,
                       json_t *content) {
    json_t *report =
        json_pack("{s:s, s:i, s:s, s:s, s:o}", "format", format, "version", 1, "bundle",
                  regions->bundle, "program", regions->program, key, content);
    json_dumpf(report, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(report);
}

void machines_print_json(const struct machines *machines, const struct regions *regions) {
    json_t *list = json_array();
    for (int i = 0; i < machines->count; i++)
        json_array_append_new(list, machine_to_json(&machines->items[i]));
    print_json("mpiskel-machines", regions, "machines", list);
}

void machine_print_json(const struct machine *machine, const struct regions *regions) {
    json_t *object = machine_to_json(machine), *runs = json_array(), *sums = json_array();
    for (int i = 0; i < machine->run_count; i++)
        json_array_append_new(runs, stored_run_to_json(&machine->runs[i]));
    for (int i = 0; i < regions->count; i++)
        json_array_append_new(sums, region_sum_to_json(machine, &regions->items[i]));
    json_object_set_new(object, "runs", runs);
    json_object_set_new(object, "regions", sums);
    json_object_set_new(object, "network",
                        machine->network != NULL ? network_to_json(machine->network) : json_null());
    print_json("mpiskel-machine-details", regions, "machine", object);
}
