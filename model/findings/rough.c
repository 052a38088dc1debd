/* SPDX-License-Identifier: Apache-2.0 */
#include "model/findings/rough.h"

#include "base/str.h"

#include <math.h>

void rough_mark(struct latency_model *model, struct arena *arena, const struct region *region,
                const char *text, double deviation) {
    model->spread.run = hypot(model->has_spread ? model->spread.run : 0, deviation);
    model->has_spread = !isnan(deviation);
    model->note = model->note[0] != '\0' ? arena_printf(arena, "%s; %s", text, model->note) : text;
    latency_write_lines(model, arena, region);
}

const char *rough_note(const struct models *models) {
    for (int i = 0; i < models->count; i++)
        if (models->items[i].fitted && text_has_prefix(models->items[i].note, ROUGH_NOTE))
            return models->items[i].note;
    return NULL;
}
