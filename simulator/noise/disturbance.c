/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/noise/disturbance.h"

#include "base/clock.h"
#include "base/error.h"

#include <stdio.h>
#include <unistd.h>

#define SHORTEST_S 0.1

struct disturbance_mark disturbance_begin(void) {
    struct disturbance_mark mark = {.wall_s = clock_monotonic_s(),
                                    .own_s = clock_processor_with_children_s()};
    double user, nice, system, idle, waiting, interrupts, soft_interrupts, stolen;
    double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL)
        return mark;
    mark.known = fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
                        &waiting, &interrupts, &soft_interrupts, &stolen) == 8;
    fclose(file);
    if (mark.known) {
        mark.busy_s = tick_s * (user + nice + system + interrupts + soft_interrupts);
        mark.stolen_s = tick_s * stolen;
    }
    return mark;
}

static double positive(double number) {
    return number > 0 ? number : 0;
}

struct disturbance disturbance_since(const struct disturbance_mark *mark) {
    struct disturbance_mark now = disturbance_begin();
    double all_s = (now.wall_s - mark->wall_s) * (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (!mark->known || !now.known || now.wall_s - mark->wall_s < SHORTEST_S || !(all_s > 0))
        return (struct disturbance){.known = false};
    return (struct disturbance){
        .known = true,
        .others = positive(now.busy_s - mark->busy_s - (now.own_s - mark->own_s)) / all_s,
        .stolen = positive(now.stolen_s - mark->stolen_s) / all_s,
    };
}

bool disturbance_matters(const struct disturbance *disturbance) {
    return disturbance->known && disturbance->others + disturbance->stolen >= DISTURBANCE_MATTERS;
}

void disturbance_tell(const struct disturbance *disturbance, const char *meanwhile,
                      const char *advice) {
    if (disturbance_matters(disturbance))
        note("warning: this machine was disturbed: other programs had %.0f %% of its processors%s "
             "while %s; %s",
             100 * (disturbance->others + disturbance->stolen),
             disturbance->stolen > disturbance->others ? ", most of it other guests of its host"
                                                       : "",
             meanwhile, advice);
}
