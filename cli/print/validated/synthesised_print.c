/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/validated/synthesised_print.h"

#include "base/str.h"
#include "cli/print/field/report_text.h"
#include "mpi/calls.h"

#include <math.h>
#include <string.h>

#define FUNCTION(member) REPORT_AT(struct validated_function, member)

static const struct report_field function_fields[] = {
    {"skeleton_calls", FUNCTION(skeleton_calls), REPORT_COLUMN("calls", 4, 12), .format = "%.0f"},
    {"synthesised_calls", FUNCTION(synthesised_calls), REPORT_COLUMN("synthesised", 1, 12),
     .format = "%.0f"},
    {"skeleton_bytes", FUNCTION(skeleton_bytes), REPORT_COLUMN("bytes", 2, 14), .format = "%.0f"},
    {"synthesised_bytes", FUNCTION(synthesised_bytes), REPORT_COLUMN("synthesised", 1, 14),
     .format = "%.0f"},
    {"function", FUNCTION(name), REPORT_COLUMN("function", 2, 0)},
    {0},
};

const struct report_field synthesised_fields[] = {
    {"predicted_s", REPORT_AT(struct synthesised_report, predicted_s)},
    {"difference", REPORT_AT(struct synthesised_report, difference)},
    {"functions",
     REPORT_LIST_AT(struct synthesised_report, functions, function_count, function_fields)},
    {0},
};

const struct synthesised_report *synthesised_report_make(struct synthesised_report *out,
                                                         const struct validated *one) {
    if (!one->synthesis.is_known)
        return NULL;
    *out = (struct synthesised_report){
        .predicted_s = one->synthesis.predicted_s,
        .difference = error_of(one->synthesis.predicted_s, one->predicted_s),
        .all = one->synthesis.all,
        .functions = one->synthesis.functions.items,
        .function_count = one->synthesis.functions.count,
    };
    return out;
}

void synthesised_print(FILE *out, const struct synthesised_report *report) {
    if (report == NULL)
        return;
    fprintf(out, "  %-11s%12.6g s  %+.1f%% of the skeleton's\n", "synthesised", report->predicted_s,
            100 * report->difference);
    report_text_table(out, function_fields, report->functions, report->function_count,
                      sizeof *report->functions, report->function_count);
    report_text_row(out, function_fields, report->functions, &report->all);
}

/* Receives name the room for a message, which has the bytes that are sent; freeing a communicator
 * is no message. */
static bool is_equal(const struct validated_function *row) {
    const struct mpi_call *call = mpi_call_find(row->name);
    bool only_receives = call != NULL && call->class == MPI_CLASS_P2P &&
                         mpi_call_parameter(call, MPI_ROLE_PAYLOAD_OUT) >= 0 &&
                         mpi_call_parameter(call, MPI_ROLE_PAYLOAD_IN) < 0;
    return strcmp(row->name, "MPI_Comm_free") == 0 ||
           (row->skeleton_calls == row->synthesised_calls &&
            (row->skeleton_bytes == row->synthesised_bytes || only_receives));
}

static bool has_equal_calls(const struct validated_synthesis *of) {
    for (size_t i = 0; i < of->functions.count; i++) {
        if (!is_equal(&of->functions.items[i]))
            return false;
    }
    return true;
}

void synthesised_sum_up(FILE *out, const struct validation *validation) {
    size_t count = 0, equal = 0;
    double largest = 0;
    for (size_t i = 0; i < validation->items.count; i++) {
        const struct validated *one = &validation->items.items[i];
        if (!one->synthesis.is_known)
            continue;
        count++;
        equal += has_equal_calls(&one->synthesis);
        largest = fmax(largest, fabs(error_of(one->synthesis.predicted_s, one->predicted_s)));
    }
    if (count > 0)
        fprintf(out,
                "synthesised: calls and bytes sent equal in %zu of %zu, times "
                "different by at most %.1f%%\n",
                equal, count, 100 * largest);
}
