/* SPDX-License-Identifier: Apache-2.0
 *
 * How often each call site communicates, and with how many bytes: what simulations of the skeleton
 * are compared with (simulator/guard). A hash table by function and place (open addressing, a power
 * of two slots). Where the call is, the program's own macros have said (bsim_places.h); a function
 * that is called by its address has the place of the call before. A site also has the time in kept
 * code before it.
 *
 * When memory runs out no counts are written: some of them would be worse than none.
 */
#include "runtime/common/json_text.h"
#include "runtime/profile/profile.h"
#include "runtime/profile/profile_kept.h"
#include "runtime/profile/profile_trace.h"

#include <stdlib.h>
#include <string.h>

struct profile_count {
    const char *file; /* NULL: the slot is free */
    int id, line;
    uint64_t count;
    double bytes, kept_s; /* in kept code before it, since the call site before (profile_kept.h) */
    double first_s;       /* of that, before its first call */
};

static struct profile_count *slots;
static size_t capacity, used;
static bool failed;

static bool is_at(const struct profile_count *count, int id, const char *file, int line) {
    return count->id == id && count->line == line &&
           (count->file == file || strcmp(count->file, file) == 0);
}

static struct profile_count *slot_of(struct profile_count *in, size_t size, int id,
                                     const char *file, int line) {
    uint64_t sum = ((uint64_t)line * 4099 + (uint64_t)id) * 0x9e3779b97f4a7c15ull;
    size_t slot = (size_t)(sum >> 32) & (size - 1);
    while (in[slot].file != NULL && !is_at(&in[slot], id, file, line))
        slot = (slot + 1) & (size - 1);
    return &in[slot];
}

static bool enlarge(void) {
    size_t larger = 2 * capacity + 64 * (capacity == 0);
    struct profile_count *grown = calloc(larger, sizeof *grown);
    if (grown == NULL)
        return false;
    for (size_t i = 0; i < capacity; i++)
        if (slots[i].file != NULL)
            *slot_of(grown, larger, slots[i].id, slots[i].file, slots[i].line) = slots[i];
    free(slots);
    slots = grown;
    capacity = larger;
    return true;
}

/* NULL: nothing is counted. */
static struct profile_count *count_at(enum bsim__id id) {
    const char *file = bsim_place_file != NULL ? bsim_place_file : "";
    if (failed || !bsim__profile_measures())
        return NULL;
    failed = 4 * used >= 3 * capacity && !enlarge();
    if (failed)
        return NULL;
    struct profile_count *count = slot_of(slots, capacity, (int)id, file, bsim_place_line);
    double kept_s = bsim__kept_take();
    if (count->file == NULL) {
        *count = (struct profile_count){
            .file = file, .id = (int)id, .line = bsim_place_line, .first_s = kept_s};
        used++;
    }
    count->kept_s += kept_s;
    return count;
}

void bsim__calls_count(enum bsim__id id, void *const *args) {
    struct profile_count *count = count_at(id);
    if (count == NULL)
        return;
    count->count++;
    count->bytes += bsim__traced_call_bytes(id, args);
}

void bsim__calls_end(void) {
    count_at(BSIM__ID_MPI_Finalize);
}

static void write_count(FILE *out, const struct profile_count *count) {
    fprintf(out, "{\"name\":\"%s\",\"file\":", bsim__functions[count->id].name);
    bsim__json_string(out, count->file);
    fprintf(out, ",\"line\":%d,\"count\":%llu,\"bytes\":%.17g", count->line,
            (unsigned long long)count->count, count->bytes);
    fprintf(out, ",\"kept_s\":%.9g", count->kept_s);
    if (bsim__profile.counted != NULL)
        fprintf(out, ",\"first_s\":%.9g", count->first_s);
    fputc('}', out);
}

unsigned long bsim__calls_write(FILE *out) {
    const char *separator = "";
    if (failed)
        return 0;
    fprintf(out, "{\"rank\":%d,\"calls\":[", bsim__profile.rank);
    for (size_t i = 0; i < capacity; i++) {
        if (slots[i].file == NULL)
            continue;
        fputs(separator, out);
        write_count(out, &slots[i]);
        separator = ",";
    }
    fputs("]}\n", out);
    return 1;
}
