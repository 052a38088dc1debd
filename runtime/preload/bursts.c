/* SPDX-License-Identifier: Apache-2.0
 *
 * An original is timed while it runs, and on a machine with interruptions, or that others disturb,
 * it takes longer: its ranks meet, and each time all wait for the one that was disturbed most. On
 * 64 ranks an interruption of 15 us every 3 ms hits two of three steps of 130 us. A profiling run
 * leaves out what was disturbed and times it another time (BSIM_QUIET), and `fit` cuts off what
 * single executions took beyond three robust deviations (model/latency/jitter.h). An original
 * cannot, since each burst comes once; but it comes again when the original is simulated again.
 *
 * BSIM_BURSTS=FILE: all bursts are added to the file when the run ends, but those of 0.2 ms or more
 * behind which others disturb, where somebody looks (BSIM_QUIET, bsim__idle_machine_is_left()).
 * Which one is the same in another run: of the same rank, ended by the same call, with the same
 * number among these. What a burst usually takes is the median of what the file has of it, which
 * has to be three simulations at least, and it counts as that, unless bursts are others each time
 * (usual_bursts.h). With BSIM_BURSTS_OF=odd, or even, every other simulation in the file tells, so
 * that two results are independent of each other; with none they all count as they come. Where the
 * program reads a clock a burst ends as well, so that it is told the time that counts.
 *
 * The file is of one configuration: a hash of BSIM_CONFIGURATION (ranks, program, directory and
 * arguments, from `mpiskel run --original`); if it is of another one it is left alone.
 */
#include "runtime/preload/bursts.h"

#include "runtime/common/idle_machine.h"
#include "runtime/preload/burst_file.h"
#include "runtime/preload/burst_sequences.h"
#include "runtime/preload/usual_bursts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sequences of bursts, kept in a file from simulation to simulation.
 * The file is mapped while it is read, and stays so, since medians are looked up in it when a burst
 * ends. What is added begins behind the last section; its header is written last. */

/* Of which simulations, counted from 1 on. */
enum kept_bursts { KEPT_BURSTS_ALL, KEPT_BURSTS_ODD, KEPT_BURSTS_EVEN, KEPT_BURSTS_NONE };

static const char foreign[] = "it is of another program, number of ranks, directory or arguments";

struct mapped {
    const void *data;
    size_t bytes;
};

/* NULL, or what is wrong. */
static const char *map_file(struct mapped *out, int fd) {
    struct stat status;
    *out = (struct mapped){0};
    if (fstat(fd, &status) != 0)
        return strerror(errno);
    if (!S_ISREG(status.st_mode))
        return "it is no file";
    if (status.st_size == 0)
        return NULL;
    void *data = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (data == MAP_FAILED)
        return strerror(errno);
    *out = (struct mapped){data, (size_t)status.st_size};
    return burst_file_section(data, out->bytes, 0) != NULL ? NULL : "it is no file of bursts";
}

static const char *take_section(const struct burst_section *section) {
    const struct burst_row *sequences = burst_file_rows(section);
    const uint16_t *codes = burst_file_codes(section);
    for (uint64_t i = 0; i < section->sequences; i++) {
        struct burst_sequence *sequence = sequences_of(sequences[i].rank, sequences[i].place);
        if (sequence == NULL || !sequence_add_other(sequence, codes, sequences[i].count))
            return "out of memory";
        codes += sequences[i].count;
    }
    return NULL;
}

/* Those that are taken: of one kind, from the one with the number `first` on. */
struct kept_selection {
    enum kept_bursts of;
    size_t first;
};

static bool is_selected(const struct kept_selection *selection, size_t number) {
    bool fits =
        selection->of == KEPT_BURSTS_ALL || (selection->of == KEPT_BURSTS_ODD) == (number % 2 == 1);
    return fits && number >= selection->first;
}

/* Behind the last section. Returns what is wrong. */
static const char *read_sections(size_t *out, const struct mapped *file, uint64_t configuration,
                                 const struct kept_selection *selection) {
    const struct burst_section *section;
    size_t offset = 0;
    for (size_t number = 1; (section = burst_file_section(file->data, file->bytes, offset)) != NULL;
         number++) {
        if (section->configuration != configuration)
            return foreign;
        bool takes = selection != NULL && is_selected(selection, number);
        const char *wrong = takes ? take_section(section) : NULL;
        if (wrong != NULL)
            return wrong;
        offset += burst_file_length(section);
    }
    *out = offset;
    return NULL;
}

static size_t section_count(const struct mapped *file) {
    const struct burst_section *section;
    size_t count = 0, offset = 0;
    for (; (section = burst_file_section(file->data, file->bytes, offset)) != NULL; count++)
        offset += burst_file_length(section);
    return count;
}

/* What other simulations have left. Returns NULL, or what is wrong; a file that is not there, or
 * empty, is fine. */
static const char *kept_bursts_read(const char *path, uint64_t configuration, enum kept_bursts of) {
    struct mapped file;
    size_t end;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? NULL : strerror(errno);
    const char *wrong = map_file(&file, fd);
    close(fd);
    if (wrong != NULL || file.bytes == 0)
        return wrong;
    size_t count = section_count(&file);
    size_t most = of == KEPT_BURSTS_ALL ? BURST_SIMULATIONS : 2 * BURST_SIMULATIONS;
    const struct kept_selection selection = {of, count > most ? count - most + 1 : 1};
    return read_sections(&end, &file, configuration, &selection);
}

/* ---- What is added ---- */

static bool is_seen(const struct burst_sequence *sequence) {
    return sequence->count > 0;
}

/* Returns how many bytes the header's `bytes` has at the end for nothing. */
static size_t describe_seen(struct burst_section *out, uint64_t configuration) {
    *out = (struct burst_section){.configuration = configuration};
    memcpy(out->magic, BURST_FILE_MAGIC, sizeof out->magic);
    for (size_t i = 0; i < sequences_count(); i++) {
        out->sequences += is_seen(sequences_at(i));
        out->bytes += sequences_at(i)->count * sizeof(uint16_t);
    }
    out->bytes += out->sequences * sizeof(struct burst_row);
    size_t rest = (8 - out->bytes % 8) % 8;
    out->bytes += rest;
    return rest;
}

static int write_codes(void *file, const uint16_t *codes, size_t count) {
    return fwrite(codes, sizeof *codes, count, file) == count ? 0 : -1;
}

static int write_seen(FILE *out, size_t rest) {
    static const char zeroes[8];
    for (size_t i = 0; i < sequences_count(); i++) {
        const struct burst_sequence *one = sequences_at(i);
        const struct burst_row row = {one->rank, one->place, one->count};
        if (is_seen(one) && fwrite(&row, sizeof row, 1, out) != 1)
            return -1;
    }
    for (size_t i = 0; i < sequences_count(); i++)
        if (sequence_pieces(sequences_at(i), write_codes, out) != 0)
            return -1;
    return fwrite(zeroes, 1, rest, out) == rest && fflush(out) == 0 ? 0 : -1;
}

/* -1: it could not be written. */
static int write_section(int fd, size_t at, uint64_t configuration) {
    struct burst_section header;
    size_t rest = describe_seen(&header, configuration);
    FILE *out = NULL;
    int result = ftruncate(fd, (off_t)at);
    if (result == 0)
        out = fdopen(dup(fd), "r+");
    if (out == NULL || fseeko(out, (off_t)(at + sizeof header), SEEK_SET) != 0 ||
        write_seen(out, rest) != 0 ||
        pwrite(fd, &header, sizeof header, (off_t)at) != (ssize_t)sizeof header)
        result = -1;
    if (out != NULL)
        fclose(out);
    return result;
}

/* Likewise; adds what this simulation has seen. */
static const char *kept_bursts_write(const char *path, uint64_t configuration) {
    struct mapped file;
    size_t end = 0;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return strerror(errno);
    flock(fd, LOCK_EX); /* two simulations may end at once */
    const char *wrong = map_file(&file, fd);
    if (wrong == NULL && file.bytes > 0)
        wrong = read_sections(&end, &file, configuration, NULL);
    if (wrong == NULL && write_section(fd, end, configuration) != 0)
        wrong = strerror(errno);
    close(fd);
    return wrong;
}

static struct {
    bool begun;
    const char *path; /* NULL: not asked for */
} bursts;

struct bsim__bursts bsim__bursts;

static void give_up(const char *what) {
    fprintf(stderr, "mpiskel: BSIM_BURSTS=%s: %s: as if it were not set\n", bursts.path, what);
    bursts.path = NULL;
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

static enum kept_bursts told_by(void) {
    static const char *const words[] = {[KEPT_BURSTS_ALL] = "all",
                                        [KEPT_BURSTS_ODD] = "odd",
                                        [KEPT_BURSTS_EVEN] = "even",
                                        [KEPT_BURSTS_NONE] = "none"};
    const char *text = getenv("BSIM_BURSTS_OF");
    for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return (enum kept_bursts)i;
    return KEPT_BURSTS_ALL;
}

static void begin(void) {
    bursts.begun = true;
    bursts.path = getenv("BSIM_BURSTS");
    if (bursts.path != NULL && bursts.path[0] == '\0')
        bursts.path = NULL;
    if (bursts.path == NULL)
        return;
    const char *wrong = kept_bursts_read(bursts.path, configuration(), told_by());
    if (wrong == NULL)
        wrong = usual_bursts_learn();
    if (wrong != NULL)
        give_up(wrong);
}

bool bsim__bursts_matter(void) {
    if (!bursts.begun)
        begin();
    return bursts.path != NULL;
}

/* What counts of a burst. */
static double counted_s(const struct burst_sequence *sequence, double seconds, bool disturbed) {
    double usual_s = usual_burst_s(sequence, sequence->count);
    if (!(usual_s < INFINITY)) {
        bsim__bursts.disturbed_s += disturbed ? seconds : 0;
        return seconds;
    }
    if (disturbed || usual_burst_is_far(sequence, usual_s, seconds))
        bsim__bursts.replaced_s += seconds;
    return usual_s;
}

double bsim__burst_ended(int rank, uint64_t place, double seconds) {
    bsim__bursts.computed_s += seconds;
    if (!bsim__bursts_matter() || rank < 0)
        return 0;
    struct burst_sequence *sequence = sequences_of(rank, place);
    bool disturbed = seconds >= BSIM__QUIET_LONG_S && !bsim__idle_machine_is_left();
    double counts_s = sequence != NULL ? counted_s(sequence, seconds, disturbed) : seconds;
    if (sequence == NULL ||
        !sequence_add(sequence, disturbed ? BURST_UNKNOWN : burst_code(seconds)))
        give_up("out of memory");
    return seconds - counts_s;
}

__attribute__((destructor)) static void end(void) {
    if (bursts.path == NULL || sequences_count() == 0)
        return;
    const char *wrong = kept_bursts_write(bursts.path, configuration());
    if (wrong != NULL)
        fprintf(stderr, "mpiskel: BSIM_BURSTS=%s: %s: what this run took is not kept\n",
                bursts.path, wrong);
}
