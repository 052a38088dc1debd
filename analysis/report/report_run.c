/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/report_run.h"

#include "analysis/report/report.h"
#include "analysis/report/report_load.h"
#include "base/file.h"

static int add_runs(struct report_input *out, const struct finished_run *runs, size_t count,
                    struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (report_add_prediction(out, json_incref(runs[i].prediction), runs[i].name, runs[i].name,
                                  error) != 0)
            return -1;
        if (runs[i].trace != NULL && file_exists(runs[i].trace) &&
            report_add_trace(out, runs[i].name, runs[i].trace, error) != 0)
            return -1;
    }
    return 0;
}

int report_runs_write(const char *path, const char *bundle, const struct finished_run *runs,
                      size_t count, struct error *error) {
    struct report_input input;
    int result = report_open(&input, bundle, error);
    if (result == 0)
        result = add_runs(&input, runs, count, error);
    if (result == 0)
        result = report_write_page(path, &input, error);
    report_dispose(&input);
    return result;
}
