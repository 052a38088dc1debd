/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fit/fit_steps.h"

#include "base/str.h"
#include "simulator/guard/guard.h"

#include <math.h>
#include <time.h>

/* Processor time of checks where a fit takes less: a hundred small simulations. */
#define USUAL_BUDGET_S 5
#define PLACES_TOLD 4

int fit_guard(struct verdict *out, const char *bundle_name, const struct samples *samples,
              const struct models *models, bool only_own, struct error *error) {
    struct bundle bundle;
    *out = (struct verdict){.why = "", .why_no_ranks = "", .model = ""};
    if (bundle_open(&bundle, bundle_name, error) != 0)
        return -1;
    struct guard guard = {.bundle = &bundle,
                          .samples = samples,
                          .models = models,
                          .model_file = bundle.model_file,
                          .only_own = only_own,
                          .budget_s = fmax(USUAL_BUDGET_S, (double)clock() / CLOCKS_PER_SEC)};
    int result = guard_check(out, &guard, error);
    if (result == 0)
        result = verdict_write(out, bundle_name, error);
    bundle_close(&bundle);
    return result;
}

static void tell_blame(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->blame.count && i < PLACES_TOLD; i++)
        note("%s:%d: the model of this value is to blame: %s", verdict->blame.items[i].file,
             verdict->blame.items[i].line, verdict->blame.items[i].text);
}

bool fit_guard_tell_uncertain(const struct verdict *verdict) {
    const struct verdict_check *worst = verdict_worst(verdict, CHECK_UNCERTAIN);
    if (worst == NULL || verdict->state != VERDICT_RIGHT)
        return false;
    for (size_t i = 0; i < verdict->blame.count && i < PLACES_TOLD; i++)
        note("warning: %s:%d (%s): how often this loop iterates is known of sizes that were "
             "profiled; of "
             "one that was left out it was off by %.2g %%: profile the size that you predict "
             "(`mpiskel plan --target ... --run`); --keep-untold has it computed",
             verdict->blame.items[i].file, verdict->blame.items[i].line,
             verdict->blame.items[i].text, fmax(worst->all.percent, worst->of_rank.percent));
    return true;
}

void fit_guard_tell(const struct verdict *verdict, const char *bundle) {
    struct str text = {0};
    const struct verdict_check *worst = verdict_worst(verdict, CHECK_WRONG);
    if (verdict->state != VERDICT_WRONG || worst == NULL)
        return;
    verdict_add_check_text(&text, worst);
    note("warning: the skeleton does not communicate as the program does: %s; %s is not simulated "
         "without `mpiskel run --even-if-wrong`",
         text.text, bundle);
    str_dispose(&text);
    tell_blame(verdict);
}
