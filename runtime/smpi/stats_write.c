/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics: calls per site and rank, regions, and the summary of the run (BSIM_STATS) that the
 * last rank writes. `bytes` of a call are those of its first buffer as its arguments tell them,
 * also for collectives (what one rank contributes or, at ranks other than the root, receives).
 */
#include "runtime/smpi/runtime.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files are told apart by their text, since each rank may have its own copy of the name, but do
 * not go into the hash: the same function on the same line of two files is rare. */
static size_t slot_of(const struct bsim__totals *totals, const struct bsim__total *what) {
    uint64_t sum = ((uint64_t)what->line * 4099 + (uint64_t)what->id) * 0x9e3779b97f4a7c15ull;
    size_t slot = (size_t)(sum >> 32) & (totals->capacity - 1);
    for (;; slot = (slot + 1) & (totals->capacity - 1)) {
        const struct bsim__total *there = &totals->slots[slot];
        if (there->file == NULL ||
            (there->id == what->id && there->line == what->line &&
             (there->file == what->file || strcmp(there->file, what->file) == 0)))
            return slot;
    }
}

static void enlarge(struct bsim__totals *totals) {
    struct bsim__totals larger = {.capacity = totals->capacity * 2 + 16 * (totals->capacity == 0)};
    larger.slots = bsim__grow(NULL, 0, larger.capacity * sizeof larger.slots[0]);
    larger.count = totals->count;
    for (size_t i = 0; i < totals->capacity; i++)
        if (totals->slots[i].file != NULL)
            larger.slots[slot_of(&larger, &totals->slots[i])] = totals->slots[i];
    free(totals->slots);
    *totals = larger;
}

void bsim__count_site(struct bsim__totals *totals, const struct bsim__total *what) {
    if (totals->count * 4 >= totals->capacity * 3)
        enlarge(totals);
    struct bsim__total *slot = &totals->slots[slot_of(totals, what)];
    if (slot->file == NULL) {
        *slot = *what;
        totals->count++;
        return;
    }
    slot->count += what->count;
    slot->seconds += what->seconds;
    slot->bytes += what->bytes;
}

void bsim__copy_sites(struct bsim__totals *out, const struct bsim__totals *totals) {
    free(out->slots);
    *out = *totals;
    size_t bytes = totals->capacity * sizeof *out->slots;
    out->slots = bytes > 0 ? memcpy(bsim__grow(NULL, 0, bytes), totals->slots, bytes) : NULL;
}

void bsim__extend_sites(struct bsim__totals *totals, const struct bsim__totals *copy,
                        double factor) {
    for (size_t i = 0; i < totals->capacity; i++) {
        struct bsim__total *total = &totals->slots[i];
        struct bsim__total none = {0};
        if (total->file == NULL)
            continue;
        const struct bsim__total *before =
            copy->capacity > 0 ? &copy->slots[slot_of(copy, total)] : &none;
        total->count += (uint64_t)((double)(total->count - before->count) * factor + 0.5);
        total->seconds += (total->seconds - before->seconds) * factor;
        total->bytes += (total->bytes - before->bytes) * factor;
    }
}

/* ---- Writing ---- */

BSIM__COMMON void (*bsim__write_changes)(FILE *out);

void bsim__write_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ')
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* By number of the rank; those that never called MPI_Init have none and are left out. */
static struct bsim__rank **sorted_ranks(const struct bsim__shared *shared, int count) {
    struct bsim__rank **ranks = bsim__grow(NULL, 0, ((size_t)count + 1) * sizeof ranks[0]);
    for (size_t i = 0; i < shared->actor_capacity; i++) {
        struct bsim__rank *rank = shared->by_actor[i];
        if (rank != NULL && rank->number >= 0 && rank->number < count)
            ranks[rank->number] = rank;
    }
    return ranks;
}

/* JSON has neither infinities nor NaN. */
static double finite_number(double value) {
    if (value != value)
        return 0;
    return value > DBL_MAX ? DBL_MAX : value < -DBL_MAX ? -DBL_MAX : value;
}

static void write_numbers(FILE *out, const char *key, const double *values, int count) {
    fprintf(out, ",\"%s\":[", key);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%.17g", i > 0 ? "," : "", finite_number(values[i]));
    fputs("]", out);
}

static void write_regions(FILE *out, const struct bsim__shared *shared) {
    const char *separator = "";
    fputs("\"regions\":[", out);
    for (int i = 0; i < shared->region_count; i++) {
        const struct bsim__region_total *region = &shared->regions[i];
        if (region->executions == 0)
            continue;
        fprintf(out, "%s\n{\"index\":%d,\"executions\":%llu,\"seconds\":%.17g", separator, i,
                (unsigned long long)region->executions, finite_number(region->seconds));
        if (region->most_s > 0)
            fprintf(out, ",\"most_seconds\":%.17g", finite_number(region->most_s));
        if (region->run_number_count > 0) {
            write_numbers(out, "run_numbers_min", region->run_minima, region->run_number_count);
            write_numbers(out, "run_numbers_max", region->run_maxima, region->run_number_count);
        }
        write_numbers(out, "features_min", region->minima, region->feature_count);
        write_numbers(out, "features_max", region->maxima, region->feature_count);
        fputs("}", out);
        separator = ",";
    }
    fputs("],\n", out);
}

static void write_doubts(FILE *out, const struct bsim__shared *shared) {
    const char *separator = "";
    fputs("\"doubtful_loops\":[", out);
    for (int i = 0; i < shared->doubt_count; i++) {
        const struct bsim__doubt *doubt = &shared->doubts[i];
        if (doubt->seconds <= 0)
            continue;
        fprintf(out, "%s\n{\"index\":%d,\"seconds\":%.17g,\"factor\":%.17g}", separator, i,
                finite_number(doubt->seconds), finite_number(doubt->factor));
        separator = ",";
    }
    fputs("],\n", out);
}

static void write_guesses(FILE *out, const struct bsim__shared *shared) {
    const char *separator = "";
    fputs("\"untold_values\":[", out);
    for (int i = 0; i < shared->guess_count; i++) {
        if (shared->guesses[i] <= 0)
            continue;
        fprintf(out, "%s\n{\"index\":%d,\"count\":%.17g}", separator, i, shared->guesses[i]);
        separator = ",";
    }
    fputs("],\n", out);
}

static void write_unvaried(FILE *out, const struct bsim__shared *shared) {
    const char *separator = "";
    fputs("\"unvaried_values\":[", out);
    for (int i = 0; i < shared->unvaried_count; i++) {
        const struct bsim__unvaried *unvaried = &shared->unvaried[i];
        if (!unvaried->is_known)
            continue;
        fprintf(out, "%s\n{\"index\":%d,\"place\":%d,\"profiled\":%.17g,\"seen\":%.17g}", separator,
                i, unvaried->place, finite_number(unvaried->profiled),
                finite_number(unvaried->seen));
        separator = ",";
    }
    fputs("],\n", out);
}

static int compare_totals(const void *left, const void *right) {
    const struct bsim__total *a = left, *b = right;
    int files = strcmp(a->file, b->file);
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return files != 0 ? files : (a->line > b->line) - (a->line < b->line);
}

static void write_total(FILE *out, const struct bsim__total *total, bool with_place) {
    fprintf(out, "\n{\"name\":\"%s\",", bsim__functions[total->id].name);
    if (with_place) {
        fputs("\"file\":", out);
        bsim__write_string(out, total->file);
        fprintf(out, ",\"line\":%d,", total->line);
    }
    fprintf(out, "\"count\":%llu,\"seconds\":%.17g,\"bytes\":%.17g}",
            (unsigned long long)total->count, total->seconds, total->bytes);
}

/* The free slots of `totals` are squeezed out first. */
static void write_totals(FILE *out, const char *key, struct bsim__totals *totals, bool with_place) {
    size_t used = 0;
    for (size_t i = 0; i < totals->capacity; i++)
        if (totals->slots[i].file != NULL)
            totals->slots[used++] = totals->slots[i];
    if (used > 0)
        qsort(totals->slots, used, sizeof totals->slots[0], compare_totals);
    fprintf(out, "\"%s\":[", key);
    for (size_t i = 0; i < used; i++) {
        fputs(i > 0 ? "," : "", out);
        write_total(out, &totals->slots[i], with_place);
    }
    fputs("]", out);
    free(totals->slots);
}

static void add_functions(struct bsim__totals *out, const struct bsim__totals *sites) {
    for (size_t i = 0; i < sites->capacity; i++) {
        struct bsim__total total = sites->slots[i];
        if (total.file == NULL)
            continue;
        total.file = "";
        total.line = 0;
        bsim__count_site(out, &total);
    }
}

static void write_rank(FILE *out, const struct bsim__rank *rank) {
    fprintf(out, "\n{\"end_s\":%.17g,\"compute_s\":%.17g,\"mpi_s\":%.17g,\"calls\":%llu",
            rank->end_s, rank->compute_s, rank->mpi_s, (unsigned long long)rank->calls);
    if (bsim__shared()->interruptions != NULL)
        fprintf(out, ",\"interrupted_s\":%.17g", rank->interrupted_s);
    if (bsim__shared()->tells_calls_of_ranks) {
        struct bsim__totals functions = {0};
        add_functions(&functions, &rank->sites);
        fputs(",\n", out);
        write_totals(out, "functions", &functions, false);
    }
    fputs("}", out);
}

static void write_ranks(FILE *out, struct bsim__rank *const ranks[], int count) {
    fputs("\"per_rank\":[", out);
    for (int i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", out);
        write_rank(out, ranks[i]);
    }
    fputs("],\n", out);
}

static void write_calls(FILE *out, struct bsim__rank *const ranks[], int count) {
    struct bsim__totals calls = {0}, sites = {0};
    for (int i = 0; i < count; i++) {
        add_functions(&calls, &ranks[i]->sites);
        for (size_t j = 0; j < ranks[i]->sites.capacity; j++)
            if (ranks[i]->sites.slots[j].file != NULL)
                bsim__count_site(&sites, &ranks[i]->sites.slots[j]);
    }
    write_totals(out, "calls", &calls, false);
    fputs(",\n", out);
    write_totals(out, "sites", &sites, true);
}

static void write_summary(FILE *out, const struct bsim__shared *shared) {
    int count = (int)shared->finalized;
    struct bsim__rank **ranks = sorted_ranks(shared, count);
    double makespan_s = 0;
    for (int i = 0; i < count; i++)
        makespan_s = ranks[i]->end_s > makespan_s ? ranks[i]->end_s : makespan_s;
    fprintf(out,
            "{\"format\":\"mpiskel-stats\",\"version\":1,\"ranks\":%d,\"finalized\":%d,"
            "\"makespan_s\":%.17g,\n",
            count, count, makespan_s);
    write_ranks(out, ranks, count);
    write_regions(out, shared);
    write_doubts(out, shared);
    write_guesses(out, shared);
    write_unvaried(out, shared);
    write_calls(out, ranks, count);
    if (bsim__write_changes != NULL)
        bsim__write_changes(out);
    fputs("}\n", out);
    free(ranks);
}

/* Numbers have a point, whatever locale the program has set. */
static void write_in_c_locale(FILE *out, const struct bsim__shared *shared) {
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;
    write_summary(out, shared);
    if (c_locale != (locale_t)0) {
        uselocale(before);
        freelocale(c_locale);
    }
}

/* Called once, when all ranks have finalized. */
void bsim__stats_write(void) {
    const struct bsim__shared *shared = bsim__shared();
    size_t size = strlen(shared->stats_path) + 32;
    char *temporary = bsim__grow(NULL, 0, size);
    snprintf(temporary, size, "%s.%ld.tmp", shared->stats_path, (long)getpid());
    FILE *out = fopen(temporary, "w");
    if (out != NULL)
        write_in_c_locale(out, shared);
    bool good = out != NULL && !ferror(out);
    if (out != NULL)
        good = fclose(out) == 0 && good;
    if (!good || rename(temporary, shared->stats_path) != 0)
        bsim__stop("mpiskel: error: cannot write the summary of the run %s: %s", shared->stats_path,
                   strerror(errno));
    free(temporary);
}
