/* SPDX-License-Identifier: Apache-2.0
 *
 * A page mapped shared; see progress.h.
 */
#include "simulator/run/progress.h"

#include "base/clock.h"
#include "base/status_line.h"
#include "base/str.h"
#include "runtime/formats/progress_page.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BETWEEN_LINES_S 0.5

int progress_open(struct progress *out, const char *path, size_t ranks, struct error *error) {
    *out = (struct progress){.ranks = ranks, .start_s = clock_monotonic_s()};
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    void *page = MAP_FAILED;
    if (fd >= 0 && ftruncate(fd, PROGRESS_FILE_BYTES) == 0)
        page = mmap(NULL, PROGRESS_FILE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    int reason = errno;
    if (fd >= 0)
        close(fd);
    if (page == MAP_FAILED)
        return error_set(error, "cannot map %s: %s", path, strerror(reason));
    out->page = page;
    return 0;
}

/* Seconds that an iteration takes, if they go on as fast as since the first one was seen; 0: not
 * known. */
static double each_s(struct progress *progress, double now) {
    double iteration = progress->page->iteration, iterations = progress->page->iterations;
    if (iterations != progress->iterations || iteration < progress->first_iteration) {
        progress->iterations = iterations; /* another loop */
        progress->first_iteration = iteration;
        progress->first_s = now;
    }
    double made = iteration - progress->first_iteration;
    return made > 0 ? (now - progress->first_s) / made : 0;
}

static void add_iteration(struct str *line, struct progress *progress, double now) {
    double one_s = each_s(progress, now);
    double iteration = progress->page->iteration, iterations = progress->iterations;
    if (iteration <= 0)
        return;
    if (iterations <= 0) {
        str_printf(line, "iteration %.0f, ", iteration);
        return;
    }
    str_printf(line, "iteration %.0f of %.0f, ", iteration, iterations);
    if (one_s > 0 && iterations >= iteration)
        str_printf(line, "%.0f s left, ", (iterations - iteration) * one_s);
}

/* Before the loop it took what remains of the time. */
void progress_foretell(struct progress *progress, double extrapolated) {
    double now = clock_monotonic_s(), elapsed_s = now - progress->start_s;
    double one_s = each_s(progress, now), iteration = progress->page->iteration;
    double left_s = (progress->iterations - iteration) * one_s;
    if (progress->is_foretold || elapsed_s < PROGRESS_FORETOLD_S || left_s < PROGRESS_FORETOLD_S)
        return;
    progress->is_foretold = true;
    status_line_hide();
    double short_s = fmax(elapsed_s - iteration * one_s, 0) + extrapolated * one_s;
    if (extrapolated > 0 && iteration + left_s / one_s > 2 * extrapolated)
        note("this simulation takes about %.0f s more (iteration %.0f of %.0f of the outer loop); "
             "with --iterations auto all of it would take about %.2g s",
             left_s, iteration, progress->iterations, short_s);
    else
        note("this simulation takes about %.0f s more (iteration %.0f of %.0f of the outer loop)",
             left_s, iteration, progress->iterations);
}

void progress_show(struct progress *progress) {
    double now = clock_monotonic_s(), elapsed_s = now - progress->start_s;
    if (now - progress->shown_s < BETWEEN_LINES_S)
        return;
    uint64_t calls = progress->page->calls;
    struct str line = {0};
    str_printf(&line, "simulated %.6g s, ", progress->page->simulated_s);
    add_iteration(&line, progress, now);
    str_printf(&line, "%llu calls (%.0f/s), %llu of %zu ranks done, %.0f s",
               (unsigned long long)calls, (double)calls / elapsed_s,
               (unsigned long long)progress->page->finalized_ranks, progress->ranks, elapsed_s);
    status_line_show("%s", str_text(&line));
    str_dispose(&line);
    progress->shown_s = now;
}

double progress_calls(const struct progress *progress) {
    return (double)progress->page->calls;
}

void progress_close(struct progress *progress) {
    status_line_hide();
    if (progress->page != NULL)
        munmap((void *)progress->page, PROGRESS_FILE_BYTES);
    progress->page = NULL;
}
