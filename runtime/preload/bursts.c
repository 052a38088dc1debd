/* SPDX-License-Identifier: Apache-2.0
 *
 * An original is timed while it runs, and on a machine that others disturb it takes longer: its
 * ranks meet, and each time all wait for the one that was disturbed most. A profiling run leaves
 * out what was disturbed and times it another time (BSIM_QUIET), and `fit` cuts off what single
 * executions took beyond three robust deviations (model/latency/jitter.h). An original cannot,
 * since each burst comes once; but it comes again when the original is simulated again.
 *
 * BSIM_BURSTS=FILE, with BSIM_QUIET: bursts of 0.2 ms or more that were not disturbed at their end
 * (bsim__idle_machine_is_left()) are added to the file when the run ends. Which one is the same in
 * another run: of the same rank, with the same number, ended by the same call. Where the file has a
 * burst three times or more, it is known what it usually takes: the median. One behind which others
 * disturb counts as that, if it is less; one that has ended undisturbed counts as at most so much
 * more than usual as three robust deviations (1.4826 times the median of the absolute ones) of all
 * bursts that end in the same call: disturbances may also have come and gone. Where these are more
 * than half of what is usual, the bursts of that call are others in each run (of a farm's workers,
 * who get their tasks as they come), and stay as they are. Where the program reads a clock a burst
 * ends as well, so that it is told the time that counts.
 *
 * The file: struct known, one after the other, as in this process's memory. What makes no sense, a
 * record that is cut off among it, is passed over. It is of one configuration: what each run adds
 * begins with a record of rank HEAD, whose place is a hash of BSIM_CONFIGURATION (ranks,
 * program, directory and arguments, from `mpiskel run --original`); if another one is there the
 * file is left alone.
 */
#include "runtime/preload/bursts.h"

#include "runtime/common/idle_machine.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD (-1)            /* in the place of a rank */
#define MOST_KNOWN (1 << 26) /* 2 GiB; what is beyond is not read */
#define KNOWN_MIN 3          /* times that tell what is usual */
#define DEVIATIONS_MIN 8     /* that tell what is far from it */
#define FAR (3 * 1.4826)
#define FACTOR_MAX 1.5 /* for bursts that are the same in each run */

struct known {
    int64_t rank, number;
    uint64_t place;
    double seconds;
};

struct burst_list {
    struct known *items;
    size_t count, capacity;
};

/* Of bursts that end in one call: by what factor they may be longer than usual. */
struct limit {
    uint64_t place;
    double factor;
};

static struct {
    bool begun;
    const char *path;        /* NULL: not asked for */
    struct burst_list usual; /* what each burst usually takes */
    struct burst_list seen;
    struct limit *limits;
    size_t limit_count;
    int64_t *numbers; /* of each rank's next burst */
    size_t ranks;
} bursts;

struct bsim__bursts bsim__bursts;

static void give_up(const char *what) {
    fprintf(stderr, "mpiskel: BSIM_BURSTS=%s: %s: as if it were not set\n", bursts.path, what);
    bursts.path = NULL;
}

static bool add(struct burst_list *list, const struct known *item) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 1024;
        struct known *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL)
            return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = *item;
    return true;
}

/* ---- What is usual ---- */

static int compare_bursts(const void *left, const void *right) {
    const struct known *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_times(const void *left, const void *right) {
    const struct known *a = left, *b = right;
    int order = compare_bursts(left, right);
    return order != 0 ? order : (a->seconds > b->seconds) - (a->seconds < b->seconds);
}

static int compare_deviations(const void *left, const void *right) {
    const struct known *a = left, *b = right;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->seconds > b->seconds) - (a->seconds < b->seconds);
}

static size_t end_of_burst(const struct burst_list *known, size_t begin) {
    size_t end = begin + 1;
    while (end < known->count && compare_bursts(&known->items[begin], &known->items[end]) == 0)
        end++;
    return end;
}

/* Replaces what is known, sorted, by relative deviations from the medians, which become usual. */
static bool take_medians(struct burst_list *known) {
    size_t kept = 0;
    for (size_t begin = 0, end; begin < known->count; begin = end) {
        end = end_of_burst(known, begin);
        if (end - begin < KNOWN_MIN)
            continue;
        size_t middle = begin + (end - begin) / 2;
        struct known usual = known->items[middle];
        if (!add(&bursts.usual, &usual))
            return false;
        for (size_t i = begin; i < end; i++)
            if (i != middle) {
                known->items[kept] = known->items[i];
                known->items[kept++].seconds = fabs(known->items[i].seconds / usual.seconds - 1);
            }
    }
    known->count = kept;
    return true;
}

static bool take_limits(struct burst_list *deviations) {
    size_t places = 0;
    if (deviations->count == 0)
        return true;
    qsort(deviations->items, deviations->count, sizeof deviations->items[0], compare_deviations);
    for (size_t i = 0; i < deviations->count; i++)
        places += i == 0 || deviations->items[i - 1].place != deviations->items[i].place;
    bursts.limits = malloc(places * sizeof *bursts.limits);
    if (bursts.limits == NULL)
        return false;
    for (size_t begin = 0, end; begin < deviations->count; begin = end) {
        end = begin + 1;
        while (end < deviations->count &&
               deviations->items[end].place == deviations->items[begin].place)
            end++;
        if (end - begin >= DEVIATIONS_MIN)
            bursts.limits[bursts.limit_count++] =
                (struct limit){deviations->items[begin].place,
                               1 + FAR * deviations->items[begin + (end - begin) / 2].seconds};
    }
    return true;
}

/* FNV-1a, as in runtime/common/hashes.h. 0: it is not told. */
static uint64_t configuration(void) {
    const char *text = getenv("BSIM_CONFIGURATION");
    uint64_t sum = 14695981039346656037ull;
    if (text == NULL)
        return 0;
    for (; *text != '\0'; text++)
        sum = (sum ^ (unsigned char)*text) * 1099511628211ull;
    return sum;
}

/* NULL, or what is wrong. */
static const char *read_known(struct burst_list *out, FILE *file) {
    struct known item;
    while (out->count < MOST_KNOWN && fread(&item, sizeof item, 1, file) == 1) {
        if (item.rank == HEAD && item.place != configuration())
            return "it is of another program, number of ranks, directory or arguments";
        if (item.rank != HEAD && item.seconds > 0 && item.seconds < INFINITY && !add(out, &item))
            return "out of memory";
    }
    if (out->count > 0)
        qsort(out->items, out->count, sizeof out->items[0], compare_times);
    return ferror(file) ? "cannot be read" : NULL;
}

static void begin(void) {
    struct burst_list known = {0};
    bursts.begun = true;
    bursts.path = getenv("BSIM_BURSTS");
    if (bursts.path == NULL)
        return;
    FILE *file = fopen(bursts.path, "rb");
    if (file == NULL) {
        if (errno != ENOENT)
            give_up(strerror(errno));
        return;
    }
    const char *wrong = read_known(&known, file);
    if (wrong == NULL && (!take_medians(&known) || !take_limits(&known)))
        wrong = "out of memory";
    if (wrong != NULL)
        give_up(wrong);
    fclose(file);
    free(known.items);
}

static double usual_s(const struct known *burst) {
    const struct known *found = bursts.usual.count > 0
                                    ? bsearch(burst, bursts.usual.items, bursts.usual.count,
                                              sizeof bursts.usual.items[0], compare_bursts)
                                    : NULL;
    return found != NULL ? found->seconds : INFINITY;
}

/* INFINITY: its bursts are others in each run, or that is not known. */
static double limit_of(uint64_t place) {
    for (size_t i = 0; i < bursts.limit_count; i++)
        if (bursts.limits[i].place == place && bursts.limits[i].factor <= FACTOR_MAX)
            return bursts.limits[i].factor;
    return INFINITY;
}

/* ---- A burst ---- */

/* False: there is no memory for it. */
static bool number(struct known *burst) {
    size_t rank = (size_t)burst->rank;
    if (rank >= bursts.ranks) {
        size_t ranks = 2 * rank + 64;
        int64_t *numbers = realloc(bursts.numbers, ranks * sizeof *numbers);
        if (numbers == NULL)
            return false;
        memset(numbers + bursts.ranks, 0, (ranks - bursts.ranks) * sizeof *numbers);
        bursts.numbers = numbers;
        bursts.ranks = ranks;
    }
    burst->number = bursts.numbers[rank]++;
    return true;
}

/* What counts of a burst. */
static double counted_s(const struct known *burst, bool disturbed) {
    double limit = limit_of(burst->place);
    double most_s = limit < INFINITY ? usual_s(burst) * (disturbed ? 1 : limit) : INFINITY;
    if (disturbed && !(most_s < INFINITY))
        bsim__bursts.disturbed_s += burst->seconds;
    if (burst->seconds > most_s)
        bsim__bursts.replaced_s += burst->seconds;
    return fmin(burst->seconds, most_s);
}

bool bsim__bursts_matter(void) {
    if (!bursts.begun)
        begin();
    return bursts.path != NULL && bsim__idle_machine_is_asked();
}

double bsim__burst_ended(int rank, uint64_t place, double seconds) {
    struct known burst = {rank, 0, place, seconds};
    bsim__bursts.computed_s += seconds;
    if (!bsim__bursts_matter() || rank < 0)
        return 0;
    if (!number(&burst)) {
        give_up("out of memory");
        return 0;
    }
    if (seconds < BSIM__QUIET_LONG_S)
        return 0;
    bool disturbed = !bsim__idle_machine_is_left();
    if (!disturbed && !add(&bursts.seen, &burst))
        give_up("out of memory");
    return seconds - counted_s(&burst, disturbed);
}

static bool write_all(int fd, const void *data, size_t bytes) {
    while (bytes > 0) {
        ssize_t written = write(fd, data, bytes);
        if (written <= 0)
            return false;
        data = (const char *)data + written;
        bytes -= (size_t)written;
    }
    return true;
}

__attribute__((destructor)) static void end(void) {
    if (bursts.path == NULL || bursts.seen.count == 0)
        return;
    int fd = open(bursts.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const struct known head = {.rank = HEAD, .place = configuration()};
    if (fd < 0 || !write_all(fd, &head, sizeof head) ||
        !write_all(fd, bursts.seen.items, bursts.seen.count * sizeof bursts.seen.items[0]))
        fprintf(stderr, "mpiskel: BSIM_BURSTS=%s: %s: what this run took is not kept\n",
                bursts.path, strerror(errno));
    if (fd >= 0)
        close(fd);
}
