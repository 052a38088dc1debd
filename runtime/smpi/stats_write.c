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
static bool is_site(const struct bsim__site *a, const struct bsim__site *b) {
    return a->id == b->id && a->line == b->line &&
           (a->file == b->file || strcmp(a->file, b->file) == 0);
}

/* Where it is, or will be. */
static size_t slot_of(const struct bsim__sites *sites, const struct bsim__site *what) {
    uint64_t sum = ((uint64_t)what->line * 4099 + (uint64_t)what->id) * 0x9e3779b97f4a7c15ull;
    size_t last = (size_t)sites->slot_count - 1, slot = (size_t)(sum >> 32) & last;
    while (sites->slots[slot] != 0 && !is_site(&sites->of[sites->slots[slot] - 1], what))
        slot = (slot + 1) & last;
    return slot;
}

static void enlarge(struct bsim__sites *sites) {
    size_t slots = (size_t)sites->slot_count * 2 + (sites->slot_count == 0 ? 64 : 0);
    free(sites->slots);
    sites->slots = bsim__grow(NULL, 0, slots * sizeof *sites->slots);
    sites->of =
        bsim__grow(sites->of, (size_t)sites->count * sizeof *sites->of, slots * sizeof *sites->of);
    sites->slot_count = (int)slots;
    for (int i = 0; i < sites->count; i++)
        sites->slots[slot_of(sites, &sites->of[i])] = i + 1;
}

int bsim__site_number(struct bsim__sites *sites, const struct bsim__site *site) {
    if (sites->count * 4 >= sites->slot_count * 3)
        enlarge(sites);
    int *slot = &sites->slots[slot_of(sites, site)];
    if (*slot == 0) {
        sites->of[sites->count] = *site;
        *slot = ++sites->count;
    }
    return *slot - 1;
}

static void add(struct bsim__total *total, const struct bsim__total *what, double factor) {
    total->count += (uint64_t)((double)what->count * factor + 0.5);
    total->seconds += what->seconds * factor;
    total->bytes += what->bytes * factor;
}

/* Exactly as many as there are: a program has few sites, and soon comes to all of them. */
static void fit(struct bsim__totals *totals, int count) {
    if (count <= totals->count)
        return;
    totals->of = bsim__grow(totals->of, (size_t)totals->count * sizeof *totals->of,
                            (size_t)count * sizeof *totals->of);
    totals->count = count;
}

void bsim__count_site(struct bsim__totals *totals, const struct bsim__site *site,
                      const struct bsim__total *what) {
    int number = bsim__site_number(&bsim__shared()->sites, site);
    fit(totals, number + 1);
    add(&totals->of[number], what, 1);
}

void bsim__copy_totals(struct bsim__totals *out, const struct bsim__totals *totals) {
    fit(out, totals->count);
    if (totals->count > 0)
        memcpy(out->of, totals->of, (size_t)totals->count * sizeof *out->of);
}

void bsim__extend_totals(struct bsim__totals *totals, const struct bsim__totals *copy,
                         double factor) {
    for (int i = 0; i < totals->count; i++) {
        struct bsim__total since = totals->of[i];
        if (i < copy->count)
            since = (struct bsim__total){.count = since.count - copy->of[i].count,
                                         .seconds = since.seconds - copy->of[i].seconds,
                                         .bytes = since.bytes - copy->of[i].bytes};
        add(&totals->of[i], &since, factor);
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
        if (region->unseen_s > 0)
            fprintf(out, ",\"unseen_seconds\":%.17g", finite_number(region->unseen_s));
        if (region->run_number_count > 0) {
            write_numbers(out, "run_numbers_min", region->run_minima, region->run_number_count);
            write_numbers(out, "run_numbers_max", region->run_maxima, region->run_number_count);
        }
        if (region->others_most > 0)
            fprintf(out, ",\"others_min\":%.17g,\"others_max\":%.17g",
                    finite_number(region->others_least), finite_number(region->others_most));
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

/* A site, and what all ranks did there. */
struct bsim__site_sum {
    struct bsim__site site;
    struct bsim__total total;
};

static int compare_sums(const void *left, const void *right) {
    const struct bsim__site *a = &((const struct bsim__site_sum *)left)->site;
    const struct bsim__site *b = &((const struct bsim__site_sum *)right)->site;
    int files = strcmp(a->file, b->file);
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return files != 0 ? files : (a->line > b->line) - (a->line < b->line);
}

/* Of all ranks, by function, file and line; the caller frees it. */
static struct bsim__site_sum *sum_up(struct bsim__rank *const ranks[], int count) {
    const struct bsim__sites *sites = &bsim__shared()->sites;
    struct bsim__site_sum *sums = bsim__grow(NULL, 0, ((size_t)sites->count + 1) * sizeof *sums);
    for (int i = 0; i < sites->count; i++)
        sums[i].site = sites->of[i];
    for (int i = 0; i < count; i++)
        for (int site = 0; site < ranks[i]->totals.count; site++)
            add(&sums[site].total, &ranks[i]->totals.of[site], 1);
    qsort(sums, (size_t)sites->count, sizeof *sums, compare_sums);
    return sums;
}

static void write_total(FILE *out, const struct bsim__site_sum *sum, bool with_place) {
    fprintf(out, "\n{\"name\":\"%s\",", bsim__functions[sum->site.id].name);
    if (with_place) {
        fputs("\"file\":", out);
        bsim__write_string(out, sum->site.file);
        fprintf(out, ",\"line\":%d,", sum->site.line);
    }
    fprintf(out, "\"count\":%llu,\"seconds\":%.17g,\"bytes\":%.17g}",
            (unsigned long long)sum->total.count, sum->total.seconds, sum->total.bytes);
}

/* Sums of sites that are one function's adjoin. Functions that were not called are left out. */
static void write_functions(FILE *out, const struct bsim__site_sum *sums, int count) {
    const char *separator = "";
    for (int begin = 0, end; begin < count; begin = end) {
        struct bsim__site_sum of_function = {.site.id = sums[begin].site.id};
        for (end = begin; end < count && sums[end].site.id == of_function.site.id; end++)
            add(&of_function.total, &sums[end].total, 1);
        if (of_function.total.count == 0)
            continue;
        fputs(separator, out);
        write_total(out, &of_function, false);
        separator = ",";
    }
}

static void write_rank(FILE *out, struct bsim__rank *rank) {
    fprintf(out, "\n{\"end_s\":%.17g,\"compute_s\":%.17g,\"mpi_s\":%.17g,\"calls\":%llu",
            rank->end_s, rank->compute_s, rank->mpi_s, (unsigned long long)rank->calls);
    if (rank->device_s > 0)
        fprintf(out, ",\"device_s\":%.17g", rank->device_s);
    if (bsim__shared()->interruptions != NULL)
        fprintf(out, ",\"interrupted_s\":%.17g", rank->interrupted_s);
    if (bsim__shared()->tells_calls_of_ranks) {
        struct bsim__site_sum *sums = sum_up(&rank, 1);
        fputs(",\n\"functions\":[", out);
        write_functions(out, sums, bsim__shared()->sites.count);
        fputs("]", out);
        free(sums);
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
    struct bsim__site_sum *sums = sum_up(ranks, count);
    int sites = bsim__shared()->sites.count;
    fputs("\"calls\":[", out);
    write_functions(out, sums, sites);
    fputs("],\n\"sites\":[", out);
    for (int i = 0; i < sites; i++) {
        fputs(i > 0 ? "," : "", out);
        write_total(out, &sums[i], true);
    }
    fputs("]", out);
    free(sums);
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
