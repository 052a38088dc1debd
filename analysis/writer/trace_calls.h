/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that runtimes call in libbsim_trace.so, which they load only if a trace is asked
 * for: so that programs need no further library.
 */
#ifndef ANALYSIS_WRITER_TRACE_CALLS_H
#define ANALYSIS_WRITER_TRACE_CALLS_H

#include "analysis/writer/trace_arrivals.h"
#include "analysis/writer/trace_channels.h"
#include "analysis/writer/trace_writer.h"

#define TRACE_CALLS_SYMBOL "bsim_trace_calls_4"

/* Each as in its header. */
#define TRACE_CALLS(X)                                                                             \
    X(trace_settings_init)                                                                         \
    X(trace_settings_window)                                                                       \
    X(trace_settings_ranks)                                                                        \
    X(trace_settings_every)                                                                        \
    X(trace_settings_has_rank)                                                                     \
    X(trace_writer_open)                                                                           \
    X(trace_writer_site)                                                                           \
    X(trace_writer_communicator)                                                                   \
    X(trace_writer_find_communicator)                                                              \
    X(trace_writer_communicator_at)                                                                \
    X(trace_writer_module)                                                                         \
    X(trace_writer_frame)                                                                          \
    X(trace_writer_add)                                                                            \
    X(trace_writer_operation)                                                                      \
    X(trace_writer_flush)                                                                          \
    X(trace_writer_counts)                                                                         \
    X(trace_writer_error)                                                                          \
    X(trace_writer_close)                                                                          \
    X(trace_channels_new)                                                                          \
    X(trace_channels_free)                                                                         \
    X(trace_channels_send)                                                                         \
    X(trace_channels_post)                                                                         \
    X(trace_channels_unpost)                                                                       \
    X(trace_channels_sent_ns)                                                                      \
    X(trace_channels_posted_ns)                                                                    \
    X(trace_channels_next)                                                                         \
    X(trace_channels_sent)                                                                         \
    X(trace_channels_received)                                                                     \
    X(trace_arrivals_new)                                                                          \
    X(trace_arrivals_free)                                                                         \
    X(trace_arrivals_come)                                                                         \
    X(trace_arrivals_leave)

struct trace_calls {
#define TRACE_CALLS_MEMBER(name) __typeof__(&name) name;
    TRACE_CALLS(TRACE_CALLS_MEMBER)
#undef TRACE_CALLS_MEMBER
};

/* The same in every process. */
__attribute__((visibility("default"))) const struct trace_calls *bsim_trace_calls_4(void);

#endif
