/* SPDX-License-Identifier: Apache-2.0
 *
 * See call_sums.h.
 */
#include "simulator/guard/call_sums.h"

#include "base/str.h"
#include "model/verdict/verdict.h"
#include "mpi/calls.h"

#include <math.h>
#include <string.h>

static bool is_poll(const char *name) {
    static const char *const names[] = {
        "MPI_Test",   "MPI_Testall", "MPI_Testany",  "MPI_Testsome",
        "MPI_Iprobe", "MPI_Improbe", "MPI_Waitsome", "MPI_Request_get_status",
        NULL};
    return text_is_one_of(name, names);
}

static bool sends(const struct mpi_call *call) {
    return mpi_call_parameter(call, MPI_ROLE_PAYLOAD_IN) >= 0 ||
           mpi_call_parameter(call, MPI_ROLE_PAYLOAD_INOUT) >= 0;
}

static bool moves_data(const struct mpi_call *call) {
    return sends(call) || mpi_call_parameter(call, MPI_ROLE_PAYLOAD_OUT) >= 0;
}

static void add(struct call_sums *out, enum call_sum calls, enum call_sum bytes, double count,
                double sum) {
    out->of[calls] += count;
    out->of[bytes] += sum;
}

void call_sums_add(struct call_sums *out, const char *name, double count, double bytes) {
    const struct mpi_call *call = mpi_call_find(name);
    if (call == NULL)
        return;
    if (is_poll(call->name)) {
        out->polls = true;
        return;
    }
    switch (call->class) {
    case MPI_CLASS_P2P:
        if (sends(call))
            add(out, SUM_MESSAGES, SUM_MESSAGE_BYTES, count, bytes);
        break;
    case MPI_CLASS_COLLECTIVE:
        add(out, SUM_COLLECTIVES, SUM_COLLECTIVE_BYTES, count, bytes);
        break;
    case MPI_CLASS_RMA:
    case MPI_CLASS_FILE:
        if (moves_data(call))
            add(out, SUM_ACCESSES, SUM_ACCESS_BYTES, count, bytes);
        break;
    case MPI_CLASS_COMPLETION:
    case MPI_CLASS_PROBE:
    case MPI_CLASS_REQUEST:
        break;
    default:
        return;
    }
    out->of[SUM_CALLS] += count;
}

static double percent_of(double is, double was) {
    if (is == was)
        return 0;
    return was > 0 ? fmin(100 * fabs(is - was) / was, VERDICT_PERCENT_MAX) : VERDICT_PERCENT_MAX;
}

double call_sums_percent(const char **out_what, const struct call_sums *is,
                         const struct call_sums *was) {
    static const char *const names[CALL_SUMS] = {"calls",
                                                 "messages",
                                                 "bytes of messages",
                                                 "collectives",
                                                 "bytes of collectives",
                                                 "accesses to windows and files",
                                                 "bytes of accesses to windows and files"};
    double largest = 0;
    *out_what = "";
    for (int i = 0; i < CALL_SUMS; i++) {
        double percent = percent_of(is->of[i], was->of[i]);
        if (percent > largest)
            *out_what = names[i];
        largest = fmax(largest, percent);
    }
    return largest;
}
