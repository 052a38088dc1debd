/* SPDX-License-Identifier: Apache-2.0
 *
 * A description is lines of words: a key and its values; `#` begins a comment. Each key is in the
 * table below. What a file leaves out takes no time, so that a file with nothing but `block_ns 1`
 * counts basic blocks.
 */
#include "model/processor/processor.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NS 1e6             /* a larger time is a mistake of units */
#define MOST_BYTES (1ull << 36) /* so is a larger cache */
#define MOST_WAYS 64
#define LINE_BYTES 256
#define WORDS 6

struct description_line {
    const char *words[WORDS];
    size_t count;
    const char *wrong; /* NULL: nothing */
};

static double number(struct description_line *line, size_t at) {
    const char *text = at < line->count ? line->words[at] : "";
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= MOST_NS))
        line->wrong = "a time in nanoseconds, from 0 to 1e6, is missing or no number";
    return value;
}

static unsigned long long whole(struct description_line *line, size_t at, unsigned long long most,
                                const char *wrong) {
    const char *text = at < line->count ? line->words[at] : "";
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (strcmp(end, "KiB") == 0)
        value *= 1024, end += 3;
    else if (strcmp(end, "MiB") == 0)
        value *= 1024 * 1024, end += 3;
    if (end == text || *end != '\0' || text[0] == '-' || errno != 0 || value > most)
        line->wrong = wrong;
    return value;
}

static void read_block(struct processor *out, struct description_line *line) {
    out->block_ns = number(line, 1);
}

static void read_access(struct processor *out, struct description_line *line) {
    out->access_ns = number(line, 1);
}

static bool is_power_of_two(unsigned long long value) {
    return value != 0 && (value & (value - 1)) == 0;
}

/* The first cache is looked up before addresses are numbered (runtime/counted/caches.c). */
static const char *wrong_shape(const struct processor *processor,
                               const struct processor_level *level) {
    unsigned long long of_a_set = (unsigned long long)level->ways * PROCESSOR_LINE;
    if (level->ways == 0 || level->bytes == 0 || level->bytes % of_a_set != 0)
        return "a cache has as many bytes as sets times ways times 64";
    if (processor->level_count == 0 &&
        (level->bytes / level->ways > PROCESSOR_PAGE || !is_power_of_two(level->bytes / of_a_set)))
        return "the first cache has at most 4 KiB for each way, and a power of two of sets";
    if (processor->level_count > 0 &&
        level->bytes < processor->levels[processor->level_count - 1].bytes)
        return "caches come in the order of their sizes, the smallest first";
    return NULL;
}

static void read_cache(struct processor *out, struct description_line *line) {
    if (out->level_count == PROCESSOR_LEVELS) {
        line->wrong = "there are four caches at most";
        return;
    }
    struct processor_level *memory = &out->levels[out->level_count];
    struct processor_level level = {
        .bytes = whole(line, 1, MOST_BYTES, "the size of a cache, such as 32KiB, is missing"),
        .ways =
            (unsigned)whole(line, 2, MOST_WAYS, "the ways of a cache, from 1 to 64, are missing"),
        .latency_ns = number(line, 3),
        .streamed_ns = number(line, 4)};
    if (line->wrong == NULL)
        line->wrong = wrong_shape(out, &level);
    memory[1] = memory[0];
    memory[0] = level;
    out->level_count++;
}

static void read_memory(struct processor *out, struct description_line *line) {
    struct processor_level *memory = &out->levels[out->level_count];
    memory->latency_ns = number(line, 1);
    memory->streamed_ns = number(line, 2);
}

static void read_streams(struct processor *out, struct description_line *line) {
    out->streams = (unsigned)whole(line, 1, PROCESSOR_STREAMS,
                                   "the number of streams, from 0 to 64, is missing");
}

static void read_call(struct processor *out, struct description_line *line) {
    if (out->call_count == PROCESSOR_CALLS || line->count < 3 ||
        strlen(line->words[1]) >= PROCESSOR_NAME) {
        line->wrong = "a call is the name of a function of the math library and a time, 64 at most";
        return;
    }
    struct processor_call *call = &out->calls[out->call_count++];
    snprintf(call->name, sizeof call->name, "%s", line->words[1]);
    call->ns = number(line, 2);
}

static const struct {
    const char *key;
    size_t words;
    void (*read)(struct processor *out, struct description_line *line);
} keys[] = {
    {"block_ns", 2, read_block}, {"access_ns", 2, read_access}, {"cache", 5, read_cache},
    {"memory", 3, read_memory},  {"streams", 2, read_streams},  {"call", 3, read_call},
};

static void split(struct description_line *out, char *text) {
    char *rest = NULL;
    text[strcspn(text, "#")] = '\0';
    for (char *word = strtok_r(text, " \t\r\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (out->count < WORDS)
            out->words[out->count] = word;
        out->count++;
    }
}

static const char *read_line(struct processor *out, char *text) {
    struct description_line line = {0};
    split(&line, text);
    if (line.count == 0)
        return NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(line.words[0], keys[i].key) == 0) {
            if (line.count > keys[i].words)
                return "there are more words than the key takes";
            keys[i].read(out, &line);
            return line.wrong;
        }
    return "the key is none of block_ns, access_ns, cache, memory, streams, call";
}

int processor_read(struct processor *out, const char *path, char *message, size_t size) {
    char text[LINE_BYTES];
    unsigned number = 0;
    const char *wrong = NULL;
    *out = (struct processor){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        snprintf(message, size, "%s: error: %s", path, strerror(errno));
        return -1;
    }
    while (wrong == NULL && fgets(text, sizeof text, file) != NULL) {
        number++;
        wrong = text[0] == '\0'                             ? "the file is no text"
                : strchr(text, '\n') == NULL && !feof(file) ? "a line has 254 characters at most"
                                                            : read_line(out, text);
    }
    if (wrong == NULL && (ferror(file) || number == 0))
        wrong = "the file is empty or cannot be read; docs/reference/processor.md says what it has";
    fclose(file);
    if (wrong != NULL)
        snprintf(message, size, "%s:%u:1: error: %s", path, number > 0 ? number : 1, wrong);
    return wrong == NULL ? 0 : -1;
}

int processor_parse(struct processor *out, const char *text) {
    char line[LINE_BYTES];
    *out = (struct processor){0};
    while (*text != '\0') {
        size_t length = strcspn(text, ";");
        if (length >= sizeof line)
            return -1;
        memcpy(line, text, length);
        line[length] = '\0';
        if (read_line(out, line) != NULL)
            return -1;
        text += length + (text[length] == ';');
    }
    return 0;
}

/* Of a core of a server of 2020, rounded. */
void processor_default(struct processor *out) {
    *out = (struct processor){
        .block_ns = 0.7,
        .access_ns = 0.25,
        .levels = {{32 * 1024, 8, 0, 0},
                   {1024 * 1024, 16, 3, 1},
                   {2 * 1024 * 1024, 16, 12, 2},
                   {0, 0, 80, 5}},
        .level_count = 3,
        .streams = 16,
        .calls = {{"exp", 8}, {"log", 8}, {"pow", 20}, {"sin", 12}, {"cos", 12}, {"tan", 16}},
        .call_count = 6};
}

void processor_text(char *out, size_t size, const struct processor *p) {
    size_t at = 0;
#define ADD(...)                                                                                   \
    do {                                                                                           \
        int written = snprintf(out + at, size - at, __VA_ARGS__);                                  \
        at += written > 0 && (size_t)written < size - at ? (size_t)written : 0;                    \
    } while (0)
    ADD("block_ns %.10g", p->block_ns);
    if (processor_has_accesses(p))
        ADD("; access_ns %.10g", p->access_ns);
    for (unsigned i = 0; i < p->level_count; i++)
        ADD("; cache %llu %u %.10g %.10g", p->levels[i].bytes, p->levels[i].ways,
            p->levels[i].latency_ns, p->levels[i].streamed_ns);
    if (p->level_count > 0)
        ADD("; memory %.10g %.10g; streams %u", p->levels[p->level_count].latency_ns,
            p->levels[p->level_count].streamed_ns, p->streams);
    for (unsigned i = 0; i < p->call_count; i++)
        ADD("; call %s %.10g", p->calls[i].name, p->calls[i].ns);
#undef ADD
}

double processor_call_ns(const struct processor *processor, const char *name) {
    for (unsigned i = 0; i < processor->call_count; i++)
        if (strcmp(processor->calls[i].name, name) == 0)
            return processor->calls[i].ns;
    return 0;
}

bool processor_has_accesses(const struct processor *processor) {
    return processor->access_ns > 0 || processor->level_count > 0;
}
