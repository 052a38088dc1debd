/* SPDX-License-Identifier: Apache-2.0
 *
 * The steps of `mpiskel fit`, each in the file that its functions are named for.
 */
#pragma once

#include "cli/common/opened.h"
#include "model/convolution/convolution.h"
#include "model/latency/latency.h"
#include "model/samples/sample.h"
#include "model/verdict/verdict.h"

#include <stdbool.h>

/* ---- --with: profiling runs of another build of the same program ---- */

/* Writes the samples of bundle `other` into those of `bundle`, whose regions are `now`, as far as
 * their regions differ in nothing but compile-time constants, and says on stderr how far that is.
 * The other bundle is left as it is. It is an error if there is nothing to take. */
int fit_take_runs(struct arena *arena, const char *bundle, const struct regions *now,
                  const char *other, struct error *error);

/* ---- --from HERE --to THERE: samples of one machine, translated to another one ---- */

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

/* ---- Given values, beside their models ---- */

/* Values by which communication goes, and which nothing that is known tells. */
void fit_values_tell(const struct models *models, const struct regions *regions);

/* Numbers of iterations that were off on what was left out, where the guard could not leave out
 * sizes: whether there are any. */
bool fit_values_tell_uncertain(const struct models *models, const struct regions *regions,
                               const struct verdict *verdict);

/* What varied in the runs, for predictions of other arguments. */
int fit_values_keep(const char *bundle, const struct samples *samples,
                    const struct regions *regions, struct error *error);

/* Adds values whose models are off by more percent to the bundle's list of values that the next
 * generate has computed; what earlier fits found is kept. */
int fit_values_keep_untold(const char *bundle, const struct models *models,
                           const struct regions *regions, double percent, struct error *error);

/* ---- The guard, which simulates the skeleton of the profiled runs ---- */

/* Checks the models that were written into the bundle, within the time that the fit took or what is
 * usual, and leaves verdict.json there. `only_own`: by own runs, since model.bsim may have others.
 * *out is the caller's (verdict_dispose), also after -1. */
int fit_guard(struct verdict *out, const char *bundle, const struct samples *samples,
              const struct models *models, bool only_own, struct error *error);

/* On stderr: what is wrong, and what to do about it. */
void fit_guard_tell(const struct verdict *verdict, const char *bundle);

/* Likewise of sizes that were left out and are off by how often loops iterate; false: there are
 * none.
 */
bool fit_guard_tell_uncertain(const struct verdict *verdict);

/* ---- What the guard finds wrong is repaired: values to blame are computed again ---- */

/* Adds the values to blame to untold.json, generates the bundle as it was generated, and makes the
 * profiled runs again, on this host. *out_repaired: the bundle is to be fitted again. False: it
 * cannot be repaired here (what would have to be done is told), or no value is to blame. -1: it was
 * tried, and failed. */
int fit_repair(bool *out_repaired, const char *bundle, const struct verdict *verdict,
               const struct samples *samples, struct error *error);

/* ---- The line `next:`, a command that can be pasted ---- */

/* to: the machine that the models were translated to; NULL: none were. */
void fit_next_print(const char *bundle, const char *to, const struct samples *samples);
