/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel fit --from HERE --to THERE`: samples of one machine, translated to another one of which
 * there is a profile only (model/convolution), or a run with its caches (fit_measured.h).
 */
#ifndef CLI_FIT_FIT_FROM_H
#define CLI_FIT_FIT_FROM_H

#include "cli/common/opened.h"
#include "model/convolution/convolution.h"
#include "model/latency/latency.h"
#include "model/samples/sample.h"

struct fit_from {
    const char *from, *to;
    const char *measured; /* a counted bundle with runs of both; NULL: the source's signatures */
    double ratio; /* of times there over here, of regions of unknown signature; NAN: refuse them */
};

/* Whether the options go together; `has_others`: those that do not go with a translation are there.
 */
int fit_from_check(const struct fit_from *from, bool has_others, struct error *error);

/* Models of the machine `to`, into the store, from samples of `from`, which are translated in
 * place; a note tells how rough that is. An error names the regions of unknown signature, unless a
 * ratio is given for them. */
int fit_from(struct models *out, struct samples *samples, struct opened *opened,
             const struct fit_from *from, struct error *error);

#endif
