/* SPDX-License-Identifier: Apache-2.0
 *
 * Signatures that were measured: what profiling runs of a bundle of `generate --counted` executed,
 * with the caches of two machines. Its program is that of the bundle whose times are translated.
 */
#ifndef CLI_FIT_FIT_MEASURED_H
#define CLI_FIT_FIT_MEASURED_H

#include "cli/common/opened.h"
#include "model/samples/sample.h"
#include "model/signature/signature.h"

/* Samples of one machine by region and features. */
struct measured_side {
    struct samples samples;
    const struct sample **sorted;
    size_t count;
};

struct fit_measured {
    struct opened opened;
    struct measured_side here, there;
    const int *map;    /* by region of the translated bundle: that of the counted one; -1: none */
    bool is_exact;     /* what is translated was counted as the samples here: nothing is guessed, */
    bool is_of_others; /* but where a sample went by runs with other arguments or ranks */
};

/* The bundle's runs of both machines, for samples of `regions`. *out is to be closed, after -1 too.
 */
int fit_measured_open(struct fit_measured *out, const char *bundle, const struct samples *samples,
                      const struct regions *regions, const char *from, const char *to,
                      struct error *error);
void fit_measured_close(struct fit_measured *measured);

/* Counted times there over those here, of executions with the sample's features: of the same rank
 * of runs with the same arguments if there are any, otherwise of all. NAN: nothing tells; *why.
 * `region`: what the source tells of it, or NULL; `run`: that of the sample. */
double fit_measured_factor(struct fit_measured *measured, const char **why, const struct run *run,
                           const struct sample *sample, const struct signature_region *region);

#endif
