/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of words and numbers; see volume.h. The file grows with the number of receivers only, so it
 * is read as a whole.
 */
#include "simulator/compare/volume.h"

#include "base/file.h"
#include "base/str.h"

#include <string.h>

#define VERSION 2
#define LARGEST 1000000000000000000ULL

struct volume_reader {
    const char *path, *at;
    size_t line; /* that `at` stands behind */
    struct error *error;
};

static int damaged(const struct volume_reader *reader, const char *what) {
    return error_set(reader->error, "%s:%zu:1: error: %s; record again", reader->path, reader->line,
                     what);
}

static int read_number(unsigned long long *out, struct volume_reader *reader) {
    const char *digit = reader->at;
    for (*out = 0; *digit >= '0' && *digit <= '9' && *out < LARGEST; digit++)
        *out = *out * 10 + (unsigned long long)(*digit - '0');
    if (digit == reader->at || *out > LARGEST)
        return damaged(reader, "there should be a number below 10^18");
    reader->at = digit;
    return 0;
}

/* `word number ... number`, the whole line. */
static int read_line(unsigned long long *out, size_t count, const char *word,
                     struct volume_reader *reader) {
    reader->line++;
    if (!text_has_prefix(reader->at, word))
        return damaged(reader, *reader->at == '\0' ? "the file ends early" : "not what comes here");
    reader->at += strlen(word);
    for (size_t i = 0; i < count; i++) {
        if (*reader->at++ != ' ')
            return damaged(reader, "a number is missing");
        if (read_number(&out[i], reader) != 0)
            return -1;
    }
    return *reader->at++ == '\n' ? 0 : damaged(reader, "the line does not end where it should");
}

static int read_flow(struct volume *out, size_t ranks, struct volume_reader *reader) {
    unsigned long long numbers[3];
    if (read_line(numbers, 3, "to", reader) != 0)
        return -1;
    if (numbers[0] >= ranks ||
        (out->flows.count > 0 && numbers[0] <= out->flows.items[out->flows.count - 1].to))
        return damaged(reader, "there is no such receiver, or not in this place");
    vec_push(&out->flows, (struct volume_flow){(size_t)numbers[0], numbers[1], numbers[2]});
    out->sums[VOLUME_MESSAGES] += numbers[1];
    out->sums[VOLUME_BYTES] += numbers[2];
    return 0;
}

static int read_lines(struct volume *out, size_t ranks, struct volume_reader *reader) {
    unsigned long long version, count;
    if (read_line(&version, 1, "mpiskel-volume", reader) != 0)
        return -1;
    if (version != VERSION)
        return damaged(reader, "written by another mpiskel version");
    if (read_line(&out->sums[VOLUME_COLLECTIVES], 3, "collectives", reader) != 0 ||
        read_line(&out->sums[VOLUME_ACCESSES], 2, "accesses", reader) != 0)
        return -1;
    while (text_has_prefix(reader->at, "to "))
        if (read_flow(out, ranks, reader) != 0)
            return -1;
    if (read_line(&count, 1, "end", reader) != 0)
        return -1;
    return count == out->flows.count && *reader->at == '\0'
               ? 0
               : damaged(reader, "the end does not tell the number of receivers");
}

int volume_read(struct volume *out, const char *path, size_t ranks, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    *out = (struct volume){0};
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    struct volume_reader reader = {.path = path, .at = text, .error = error};
    int result = read_lines(out, ranks, &reader);
    if (result == 0 && (size_t)(reader.at - text) != length)
        result = damaged(&reader, "a byte of zero");
    free(text);
    if (result != 0)
        volume_dispose(out);
    return result;
}

void volume_dispose(struct volume *volume) {
    vec_dispose(&volume->flows);
}
