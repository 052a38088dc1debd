/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of MPI that a synthesised program makes, and what it asks of devices, by number,
 * with what each does.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_CALL_H
#define SYNTHESIS_EVAL_SYNTH_CALL_H

#include <stdbool.h>

enum synth_call {
#define CALL(name, role) SYNTH_##name,
#define DEVICE(name) SYNTH_device_##name,
#include "synthesis/eval/synth_calls.def"
    SYNTH_CALLS
};

enum synth_role {
    SYNTH_AROUND,
    SYNTH_SEND,
    SYNTH_SEND_LATER,
    SYNTH_RECEIVE,
    SYNTH_RECEIVE_LATER,
    SYNTH_EXCHANGE,
    SYNTH_COMPLETE,
    SYNTH_PROBE,
    SYNTH_ROOTED,
    SYNTH_TOGETHER,
    SYNTH_ROOTED_LATER,
    SYNTH_TOGETHER_LATER,
    SYNTH_MAKE,
    SYNTH_FREE,
    SYNTH_DEVICE,
};

/* By its name with or without "MPI_"; -1: none of them. */
int bsim_synth_call(const char *name);
/* "MPI_Send", "device_kernel". */
const char *bsim_synth_call_name(int call);
enum synth_role bsim_synth_role(int call);

/* What the calls of a role have. */
bool bsim_synth_sends(int call);
bool bsim_synth_receives(int call);
bool bsim_synth_is_collective(int call); /* also those that make a communicator */
bool bsim_synth_makes_request(int call);
/* An operation of a device, whose region is no computation but what it takes. */
bool bsim_synth_is_operation(int call);

#endif
