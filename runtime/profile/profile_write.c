/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes samples files (docs/reference/samples.md). Each rank turns its samples into text; at
 * MPI_Finalize rank 0 takes the others' texts one after the other, so that it never holds more than
 * one. The file gets its name when it is complete.
 */
#include "runtime/common/json_text.h"
#include "runtime/common/machine_clock.h"
#include "runtime/common/reference.h"
#include "runtime/profile/profile.h"
#include "runtime/profile/profile_disturbed.h"

#define BSIM_PROFILE
#define BSIM_NO_MACROS
#include "runtime/include/bsim.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BYTES (1 << 20)
#define TEXT_TAG 1

/* ---- Text ---- */

static void write_counted(FILE *out, const double *counted) {
    double now[BSIM_COUNTED_MOST];
    int count = bsim_counted_numbers(now);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%.17g", i > 0 ? "," : ",\"counted\":[", counted[i]);
    fputc(']', out);
}

static unsigned long write_samples(FILE *out, const struct bsim__profile *profile) {
    unsigned long lines = 0;
    for (const struct bsim__sample *at = profile->samples.first; at != NULL;
         at = at->next_in_order, lines++) {
        fprintf(out, "{\"region\":%d,\"rank\":%d,\"features\":[", at->region, profile->rank);
        for (int i = 0; i < at->feature_count; i++)
            fprintf(out, "%s%.17g", i > 0 ? "," : "", at->features[i]);
        fprintf(out,
                "],\"count\":%llu,\"timed\":%llu,\"seconds\":%.9g,\"squares\":%.9g,\"min\":%.9g,"
                "\"max\":%.9g",
                (unsigned long long)at->count, (unsigned long long)at->timed, at->seconds,
                at->squares, at->min_s, at->max_s);
        if (at->waited_s > 0)
            fprintf(out, ",\"waited\":%.9g", at->waited_s);
        if (profile->counted != NULL && at->sequence == NULL && at->timed > 0)
            write_counted(out, at->counted);
        bsim__sequence_write(out, at->sequence);
        bsim__contexts_write(out, &at->contexts);
        fputs("}\n", out);
    }
    return lines + bsim__calls_write(out);
}

/* Where the program runs now; nothing if that cannot be told. */
static void write_directory(FILE *out) {
    char directory[PATH_MAX];
    if (getcwd(directory, sizeof directory) == NULL)
        return;
    fputs(",\"directory\":", out);
    bsim__json_string(out, directory);
}

/* `suffix` sets the run of a rank that wrote alone apart from the others'. */
static void write_header(FILE *out, const struct bsim__profile *profile, const char *suffix) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    fputs("{\"format\":\"mpiskel-samples\",\"version\":1,\"bundle\":", out);
    bsim__json_string(out, &bsim_bundle_id != NULL ? bsim_bundle_id : "");
    fprintf(out, ",\"run\":\"%s%s\",\"ranks\":%d,\"host\":", profile->run, suffix, profile->size);
    bsim__json_string(out, host);
    fputs(",\"cpu\":", out);
    bsim__json_processor(out);
    fputs(",\"args\":", out);
    bsim__json_arguments(out);
    write_directory(out);
    fprintf(out, ",\"clock\":\"%s\"",
            profile->without_regions            ? "none"
            : profile->counted != NULL          ? profile->counted
            : profile->clock == CLOCK_MONOTONIC ? "wall"
                                                : "cpu");
    fprintf(out, ",\"cache\":\"%s\"", bsim__cache_is_cold() ? "cold" : "as is");
    if (profile->elapsed_s > 0)
        fprintf(out, ",\"elapsed_s\":%.9g", profile->elapsed_s);
    fprintf(out, ",\"reference_s\":%.9g",
            profile->reference_s > 0 ? profile->reference_s : bsim__reference_s());
    fprintf(out, ",\"timer_overhead_s\":%.9g,\"complete\":%s}\n", profile->overhead_s,
            suffix[0] == '\0' ? "true" : "false");
}

/* ---- Files ---- */

/* $BSIM_SAMPLES, or `samples/` beside the program. */
static void directory_of_samples(char *out, size_t size) {
    const char *set = getenv("BSIM_SAMPLES");
    if (set != NULL && set[0] != '\0') {
        snprintf(out, size, "%s", set);
        return;
    }
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    out[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(out, '/');
    size_t stem = slash != NULL ? (size_t)(slash - out) + 1 : 0;
    snprintf(out + stem, size - stem, "samples");
}

struct samples_file {
    FILE *out; /* NULL: it could not be opened */
    char path[PATH_MAX + 512], temporary[PATH_MAX + 600];
};

static void file_open(struct samples_file *file, const char *suffix) {
    char directory[PATH_MAX];
    directory_of_samples(directory, sizeof directory);
    mkdir(directory, 0777);
    snprintf(file->path, sizeof file->path, "%s/%s%s.samples", directory, bsim__profile.run,
             suffix);
    snprintf(file->temporary, sizeof file->temporary, "%s.tmp", file->path);
    file->out = fopen(file->temporary, "w");
    if (file->out == NULL)
        bsim__profile_off("cannot write %s: %s", file->temporary, strerror(errno));
}

static void file_close(struct samples_file *file, unsigned long lines) {
    if (file->out == NULL)
        return;
    fprintf(file->out, "{\"end\":true,\"lines\":%lu}\n", lines);
    bool good = !ferror(file->out);
    good = fclose(file->out) == 0 && good;
    if (!good || rename(file->temporary, file->path) != 0) {
        bsim__profile_off("cannot write %s: %s", file->path, strerror(errno));
        unlink(file->temporary);
    }
}

/* ---- Gathering ---- */

/* What a rank sends before its text; negative length: its profiling is off. */
struct announcement {
    long long length, lines;
};

static void send_samples(MPI_Comm comm) {
    char *text = NULL;
    size_t length = 0;
    struct announcement mine = {-1, 0};
    FILE *memory = bsim__profile.on ? open_memstream(&text, &length) : NULL;
    if (memory != NULL) {
        mine.lines = (long long)write_samples(memory, &bsim__profile);
        if (fclose(memory) == 0)
            mine.length = (long long)length;
    }
    PMPI_Send(&mine, sizeof mine, MPI_BYTE, 0, TEXT_TAG, comm);
    for (long long at = 0; at < mine.length; at += CHUNK_BYTES) {
        long long left = mine.length - at;
        PMPI_Send(text + at, left < CHUNK_BYTES ? (int)left : CHUNK_BYTES, MPI_BYTE, 0, TEXT_TAG,
                  comm);
    }
    free(text);
}

/* Also takes what cannot be written (out is NULL), for the sender waits. False: it has none. */
static bool receive_samples(FILE *out, char *chunk, int rank, unsigned long *lines, MPI_Comm comm) {
    struct announcement theirs;
    PMPI_Recv(&theirs, sizeof theirs, MPI_BYTE, rank, TEXT_TAG, comm, MPI_STATUS_IGNORE);
    for (long long at = 0; at < theirs.length; at += CHUNK_BYTES) {
        long long left = theirs.length - at;
        int size = left < CHUNK_BYTES ? (int)left : CHUNK_BYTES;
        PMPI_Recv(chunk, size, MPI_BYTE, rank, TEXT_TAG, comm, MPI_STATUS_IGNORE);
        if (out != NULL)
            fwrite(chunk, 1, (size_t)size, out);
    }
    *lines += (unsigned long)theirs.lines;
    return theirs.length >= 0;
}

static void gather_on_root(MPI_Comm comm) {
    static char chunk[CHUNK_BYTES];
    static struct samples_file file;
    unsigned long lines = 0;
    int missing = !bsim__profile.on;
    if (bsim__profile.on)
        file_open(&file, "");
    if (file.out != NULL) {
        write_header(file.out, &bsim__profile, "");
        lines = write_samples(file.out, &bsim__profile);
    }
    for (int rank = 1; rank < bsim__profile.size; rank++)
        missing += !receive_samples(file.out, chunk, rank, &lines, comm);
    file_close(&file, lines);
    if (missing > 0)
        fprintf(stderr, "mpiskel: %d ranks have no samples in %s\n", missing, file.path);
}

/* Numbers have a point, whatever locale the program has set. */
static locale_t enter_c_locale(void) {
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;
}

static void leave_c_locale(locale_t before) {
    if (before != (locale_t)0)
        freelocale(uselocale(before));
}

void bsim__profile_gather(void) {
    MPI_Comm comm;
    double elapsed_s = bsim__machine_clock_s(CLOCK_MONOTONIC) - bsim__profile.start_s;
    if (bsim__profile.without_regions) /* it was not timed between pieces */
        bsim__reference_take();
    if (bsim__profile.size == 0 || PMPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS)
        return;
    double reference_s = bsim__reference_s();
    PMPI_Reduce(&elapsed_s, &bsim__profile.elapsed_s, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
    PMPI_Reduce(&reference_s, &bsim__profile.reference_s, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
    bsim__disturbed_tell(comm, elapsed_s);
    locale_t before = enter_c_locale();
    if (bsim__profile.rank == 0)
        gather_on_root(comm);
    else
        send_samples(comm);
    leave_c_locale(before);
    PMPI_Comm_free(&comm);
}

void bsim__profile_write_alone(void) {
    static struct samples_file file;
    char suffix[32];
    if (!bsim__profile.on || bsim__profile.run[0] == '\0') /* before MPI_Init there is no name */
        return;
    snprintf(suffix, sizeof suffix, "-rank%d", bsim__profile.rank);
    file_open(&file, suffix);
    if (file.out == NULL)
        return;
    locale_t before = enter_c_locale();
    write_header(file.out, &bsim__profile, suffix);
    file_close(&file, write_samples(file.out, &bsim__profile));
    leave_c_locale(before);
    bsim__profile.on = false;
}
