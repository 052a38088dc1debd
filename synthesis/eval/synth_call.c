/* SPDX-License-Identifier: Apache-2.0 */
#include "synthesis/eval/synth_call.h"

#include <string.h>

static const struct {
    const char *name;
    enum synth_role role;
} calls[] = {
#define CALL(name, role) {"MPI_" #name, SYNTH_##role},
#define DEVICE(name) {"device_" #name, SYNTH_DEVICE},
#include "synthesis/eval/synth_calls.def"
};

int bsim_synth_call(const char *name) {
    bool is_bare = strncmp(name, "MPI_", 4) != 0 && strncmp(name, "device_", 7) != 0;
    for (int i = 0; i < SYNTH_CALLS; i++)
        if (strcmp(is_bare ? calls[i].name + 4 : calls[i].name, name) == 0)
            return i;
    return -1;
}

const char *bsim_synth_call_name(int call) {
    return calls[call].name;
}

enum synth_role bsim_synth_role(int call) {
    return calls[call].role;
}

bool bsim_synth_sends(int call) {
    enum synth_role role = calls[call].role;
    return role == SYNTH_SEND || role == SYNTH_SEND_LATER || role == SYNTH_EXCHANGE;
}

bool bsim_synth_receives(int call) {
    enum synth_role role = calls[call].role;
    return role == SYNTH_RECEIVE || role == SYNTH_RECEIVE_LATER || role == SYNTH_EXCHANGE;
}

bool bsim_synth_is_collective(int call) {
    enum synth_role role = calls[call].role;
    return role == SYNTH_ROOTED || role == SYNTH_TOGETHER || role == SYNTH_ROOTED_LATER ||
           role == SYNTH_TOGETHER_LATER || role == SYNTH_MAKE;
}

bool bsim_synth_makes_request(int call) {
    enum synth_role role = calls[call].role;
    return role == SYNTH_SEND_LATER || role == SYNTH_RECEIVE_LATER || role == SYNTH_ROOTED_LATER ||
           role == SYNTH_TOGETHER_LATER;
}

bool bsim_synth_is_operation(int call) {
    return call >= SYNTH_device_kernel && call <= SYNTH_device_barrier;
}
