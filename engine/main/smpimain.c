/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine as a program that takes smpimain's place: the same arguments, the same environment,
 * the same lines on standard error where a simulation fails. It loads a skeleton, whose functions
 * of MPI and SimGrid it has itself, and runs it as all ranks.
 *
 *     smpimain PROGRAM --cfg=KEY:VALUE... -- PLATFORM ARGUMENTS...
 *
 * Where it lacks something, before the run or while it runs, it says so in the file that
 * BSIM_ENGINE_LACKS names, and ends with a code of its own (engine/objects/failure.h).
 */
#include "engine/core/simulation.h"
#include "engine/messages/message.h"
#include "engine/messages/message_counts.h"
#include "engine/mpi/engine_options.h"
#include "engine/objects/failure.h"

#include "base/arena.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With fewer ranks speed does not matter, and order within an instant may: simulation.h. */
#define DIRECT_RANKS 1024

static struct engine_options options;
static int (*program_main)(int, char **);

static void refuse(enum host_network_result result, const struct error *error) {
    if (result == NETWORK_NOT_COVERED)
        engine_lacks("%s", error->text);
    if (result == NETWORK_COVERED)
        return;
    error_print(error);
    exit(EXIT_FAILED);
}

static const char *argument_at(int i) {
    return i == 0 ? options.program : options.arguments[i - 1];
}

/* The program may change its arguments. One block, since each rank has one. */
static char **copy_arguments(void) {
    size_t count = (size_t)options.argument_count + 1, bytes = (count + 1) * sizeof(char *);
    for (size_t i = 0; i < count; i++)
        bytes += strlen(argument_at((int)i)) + 1;
    char **argv = xmalloc(bytes), *at = (char *)(argv + count + 1);
    for (size_t i = 0; i < count; i++) {
        argv[i] = at;
        at = stpcpy(at, argument_at((int)i)) + 1;
    }
    argv[count] = NULL;
    return argv;
}

/* One rank, from its beginning to its end. */
static void run_rank(void) {
    char **argv = copy_arguments();
    int code = program_main(options.argument_count + 1, argv);
    if (code != 0) {
        fprintf(stderr,
                "[engine:%u:(%u) %f] [engine/WARNING] SMPI process did not return 0. "
                "Return value : %d\n",
                simulation.current, simulation.current + 1, simulation.now_s, code);
        if (simulation.exit_code == 0)
            simulation.exit_code = code;
    }
    simulation_catch_up();
    simulation_run_exit_callbacks(0);
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    static const char text[] = "mpiskel: the stack of a rank was too small\n";
    if (coroutine_is_overflow(info->si_addr) && write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(EXIT_FAILED);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* On a stack of its own, since that of the rank may be what is at fault. */
static void catch_faults(void) {
    static char own_stack[1 << 16];
    stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

/* Each rank on a host of its own, on one switch. */
static bool have_own_links(const uint32_t *hosts) {
    size_t ranks = options.ranks;
    bool *is_taken = xcalloc(host_network_hosts(simulation.network), sizeof *is_taken);
    bool are_apart = host_network_is_switch(simulation.network);
    for (size_t i = 0; i < ranks && are_apart; i++) {
        are_apart = !is_taken[hosts[i]];
        is_taken[hosts[i]] = true;
    }
    free(is_taken);
    return are_apart;
}

/* For tests: from how many ranks on order within an instant is any, and they exchange directly. */
static size_t direct_ranks(void) {
    const char *text = getenv("BSIM_ENGINE_DIRECT");
    return text != NULL ? strtoul(text, NULL, 10) : DIRECT_RANKS;
}

static void prepare_network(void) {
    struct error error = {0};
    uint32_t *hosts = NULL;
    simulation.keeps_rounds = options.ranks < direct_ranks();
    refuse(host_network_load(&simulation.network, options.platform, &error), &error);
    refuse(engine_options_apply(simulation.network, &error), &error);
    if (host_network_place(&hosts, simulation.network, options.host_file, options.ranks, &error) !=
            0 ||
        flows_new(&simulation.flows, simulation.network, &error) != 0)
        refuse(NETWORK_BROKEN, &error);
    if (!simulation.keeps_rounds)
        flows_forget_ties(simulation.flows);
    simulation.rank_count = (uint32_t)options.ranks;
    simulation.ranks = new_lines(options.ranks * sizeof *simulation.ranks);
    for (size_t i = 0; i < options.ranks; i++)
        simulation.ranks[i].host = hosts[i];
    simulation.has_own_links = options.ranks >= direct_ranks() && have_own_links(hosts);
    free(hosts);
}

static void load_program(void) {
    void *program = dlopen(options.program, RTLD_LAZY | RTLD_LOCAL);
    if (program == NULL) {
        fprintf(stderr, "mpiskel: error: %s\n", dlerror());
        exit(EXIT_FAILED);
    }
    program_main = (int (*)(int, char **))dlsym(program, "main");
    if (program_main == NULL)
        engine_lacks("a program without main");
}

int main(int argc, char **argv) {
    struct error error = {0};
    refuse(engine_options_read(&options, argc, argv, &error), &error);
    prepare_network();
    communicators_init(simulation.rank_count);
    simulation.flow_ended = message_arrived;
    flows_tell_buffered(simulation.flows, message_is_buffered);
    message_counts_open();
    coroutines_init(options.stack_bytes > 0 ? options.stack_bytes : 8 << 20, run_rank);
    catch_faults();
    load_program();
    int result = simulation_run();
    fflush(stdout);
    if (result != 0)
        _exit(EXIT_FAILED); /* what is left to atexit would ask ranks that have not ended */
    exit(simulation.exit_code);
}
