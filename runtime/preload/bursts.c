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
#include "runtime/preload/kept_bursts.h"
#include "runtime/preload/usual_bursts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
