/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of SimGrid's words, and the runtime's for what SimGrid does not see; see log_line.h.
 */
#include "simulator/run/log_line.h"

#include "base/str.h"

#include <stddef.h>
#include <string.h>

/* The first that fits counts. */
static const struct {
    const char *words;
    enum log_line kind;
} table[] = {
    {"MPI_Abort was called", LINE_ABORT},
    {"Deadlock detected", LINE_DEADLOCK},
    {"/INFO] Actor ", LINE_ACTOR},
    {"SMPI process did not return 0", LINE_EXIT},
    {"Process called exit when leaving", LINE_NOISE},
    {"/CRITICAL]", LINE_CRITICAL},
    {"/WARNING]", LINE_WARNING},
    {"/ERROR]", LINE_WARNING},
    {"/INFO]", LINE_NOISE},
};

enum log_line log_line_kind(const char *line) {
    if (text_has_prefix(line, "Backtrace (displayed") || text_has_prefix(line, "  -> "))
        return LINE_NOISE;
    if (text_has_prefix(line, "mpiskel: deadlock at "))
        return LINE_STALL;
    if (text_has_prefix(line, "mpiskel: the stack of a rank was too small"))
        return LINE_STACK;
    if (text_has_prefix(line, "mpiskel: rank ") && strstr(line, " waits in ") != NULL)
        return LINE_WAITING;
    if (text_has_prefix(line, "mpiskel: rank ") &&
        strstr(line, " left before MPI_Finalize") != NULL)
        return LINE_LEFT;
    if (line[0] != '[')
        return LINE_APPLICATION;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strstr(line, table[i].words) != NULL)
            return table[i].kind;
    return LINE_APPLICATION;
}

bool log_line_is_news(const char *line) {
    enum log_line kind = log_line_kind(line);
    return kind == LINE_APPLICATION || kind == LINE_WARNING || kind == LINE_CRITICAL;
}
