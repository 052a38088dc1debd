/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_gap.h.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "model/eval/eval_gap.h"

#include "model/eval/eval_read.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define GAPS_MAX 1000000

/* Texts are borrowed from the line. The file comes last, since its name may have blanks. */
static int read_gap(struct bsim_gap *out, struct bsim_reader *reader) {
    if (bsim_reader_text(&out->name, reader, "a function's name") != 0 ||
        bsim_reader_count(&out->line, reader, "the line of a call", INT_MAX) != 0 ||
        bsim_reader_number(&out->first_s, reader, "the time before the first call", 0,
                           BSIM_LARGEST_NUMBER) != 0 ||
        bsim_reader_number(&out->again_s, reader, "the time before other calls", 0,
                           BSIM_LARGEST_NUMBER) != 0)
        return -1;
    out->file = reader->word + strspn(reader->word, " ");
    return out->file[0] != '\0' ? 0 : bsim_reader_fail(reader, "a call has no file");
}

static int copy_texts(struct bsim_gap *gap) {
    gap->name = strdup(gap->name);
    gap->file = strdup(gap->file);
    if (gap->name != NULL && gap->file != NULL)
        return 0;
    free(gap->name);
    free(gap->file);
    return -1;
}

int bsim_gaps_read(struct bsim_gaps *gaps, struct bsim_reader *reader) {
    struct bsim_gap gap;
    if (read_gap(&gap, reader) != 0)
        return -1;
    if (gaps->count == GAPS_MAX)
        return bsim_reader_fail(reader, "there are too many gaps");
    if ((gaps->count & (gaps->count - 1)) == 0) {
        size_t room = gaps->count > 0 ? 2 * (size_t)gaps->count : 1;
        struct bsim_gap *larger = realloc(gaps->of, room * sizeof *larger);
        if (larger == NULL)
            return bsim_reader_fail(reader, "out of memory");
        gaps->of = larger;
    }
    if (copy_texts(&gap) != 0)
        return bsim_reader_fail(reader, "out of memory");
    gaps->of[gaps->count++] = gap;
    return 0;
}

void bsim_gaps_free(struct bsim_gaps *gaps) {
    for (int i = 0; i < gaps->count; i++) {
        free(gaps->of[i].name);
        free(gaps->of[i].file);
    }
    free(gaps->of);
}
