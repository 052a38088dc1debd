/* SPDX-License-Identifier: Apache-2.0
 *
 * See engine_options.h. A setting that the engine does not know is one that it lacks, so nothing is
 * ever computed otherwise than asked for.
 */
#include "engine/mpi/engine_options.h"

#include "base/arena.h"
#include "base/vec.h"
#include "engine/collectives/collective_algorithms.h"
#include "engine/messages/message.h"
#include "engine/messages/message_settings.h"

#include <stdlib.h>
#include <string.h>

struct engine_setting {
    const char *key, *value;
};

static VEC(struct engine_setting) given_settings;

/* What they are about does not exist in the engine, or has been looked at by who has started it. */
static const char *const without_effect[] = {"contexts/guard-size",
                                             "contexts/nthreads",
                                             "contexts/factory",
                                             "contexts/synchro",
                                             "smpi/tmpdir",
                                             "smpi/privatization",
                                             "smpi/keep-temps",
                                             "smpi/simulate-computation",
                                             "network/model",
                                             "smpi/display-timing",
                                             NULL};

static const char *value_of(const char *key) {
    const char *value = NULL;
    for (size_t i = 0; i < given_settings.count; i++)
        if (strcmp(given_settings.items[i].key, key) == 0)
            value = given_settings.items[i].value;
    return value;
}

bool engine_option_is_on(const char *key) {
    const char *value = value_of(key);
    return value != NULL && (strcmp(value, "yes") == 0 || strcmp(value, "on") == 0 ||
                             strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

double engine_option_number(const char *key) {
    const char *value = value_of(key);
    return value != NULL ? strtod(value, NULL) : 0;
}

static bool is_without_effect(const char *key) {
    for (size_t i = 0; without_effect[i] != NULL; i++)
        if (strcmp(without_effect[i], key) == 0)
            return true;
    return false;
}

/* ---- Of messages ---- */

static bool take_number(double *out, const char *value) {
    char *end;
    *out = strtod(value, &end);
    return end != value && *end == '\0' && *out >= 0;
}

/* Pieces that cost nothing are as none, so that nobody waits for nothing. */
static int take_pieces(struct piecewise *out, const char *value, struct error *error) {
    bool is_free = true;
    if (piecewise_parse(out, value, 0, error) != 0)
        return -1;
    for (size_t i = 0; i < out->count; i++)
        is_free = is_free && out->of[i].constant == 0 && out->of[i].per_byte == 0;
    if (is_free)
        piecewise_dispose(out);
    return 0;
}

/* 1: it is one, 0: it is none, -1: it cannot be read. */
static int take_message_setting(const char *key, const char *value, struct error *error) {
    double number = 0;
    bool is_number = take_number(&number, value);
    if (strcmp(key, "smpi/os") == 0)
        return take_pieces(&message_settings.send, value, error) == 0 ? 1 : -1;
    if (strcmp(key, "smpi/ois") == 0)
        return take_pieces(&message_settings.nonblocking_send, value, error) == 0 ? 1 : -1;
    if (strcmp(key, "smpi/or") == 0)
        return take_pieces(&message_settings.receive, value, error) == 0 ? 1 : -1;
    if (strcmp(key, "smpi/grow-injected-times") == 0) {
        message_settings.grows = engine_option_is_on(key);
        return 1;
    }
    if (!is_number)
        return 0;
    if (strcmp(key, "smpi/send-is-detached-thresh") == 0)
        message_settings.eager_bytes = (size_t)number;
    else if (strcmp(key, "smpi/test") == 0)
        message_settings.test_s = number;
    else if (strcmp(key, "smpi/iprobe") == 0)
        message_settings.probe_s = number;
    else if (strcmp(key, "smpi/wtime") == 0)
        message_settings.clock_s = number;
    else if (strcmp(key, "smpi/async-small-thresh") == 0)
        message_settings.early_bytes = (size_t)number;
    else
        return 0;
    return 1;
}

/* ---- Of collectives: smpi/NAME:ALGORITHM ---- */

static bool take_collective(const char *key, const char *value) {
    return strncmp(key, "smpi/", 5) == 0 && collectives_choose(key + 5, value);
}

static enum host_network_result take_setting(struct host_network *network,
                                             const struct engine_setting *setting,
                                             struct error *error) {
    int is_about_messages = take_message_setting(setting->key, setting->value, error);
    if (is_about_messages < 0)
        return NETWORK_BROKEN;
    if (is_about_messages > 0 || is_without_effect(setting->key) ||
        take_collective(setting->key, setting->value))
        return NETWORK_COVERED;
    if (strncmp(setting->key, "network/", 8) == 0 || strncmp(setting->key, "smpi/bw", 7) == 0 ||
        strncmp(setting->key, "smpi/lat", 8) == 0)
        return host_network_set(network, setting->key, setting->value, error);
    error_set(error, "the setting %s:%s", setting->key, setting->value);
    return NETWORK_NOT_COVERED;
}

/* ---- The command line ---- */

/* A copy, since the runtime in skeletons reads the command line as well (/proc/self/cmdline). */
static int note_setting(const char *given, struct error *error) {
    char *text = xstrdup(given), *colon = strchr(text, ':');
    if (colon == NULL) {
        free(text);
        return error_set(error, "--cfg=%s is no KEY:VALUE", given);
    }
    *colon = '\0';
    vec_push(&given_settings, (struct engine_setting){.key = text, .value = colon + 1});
    return 0;
}

static enum host_network_result take_start(struct engine_options *out, struct error *error) {
    static const char *const own[] = {"contexts/stack-size", "smpi/np", "smpi/hostfile"};
    size_t kept = 0;
    out->ranks = (size_t)engine_option_number("smpi/np");
    out->stack_bytes = (size_t)engine_option_number("contexts/stack-size") * 1024;
    out->host_file = value_of("smpi/hostfile");
    for (size_t i = 0; i < given_settings.count; i++) {
        struct engine_setting setting = given_settings.items[i];
        if (strcmp(setting.key, own[0]) != 0 && strcmp(setting.key, own[1]) != 0 &&
            strcmp(setting.key, own[2]) != 0)
            given_settings.items[kept++] = setting;
    }
    given_settings.count = kept;
    if (out->ranks == 0 || out->ranks >= INT32_MAX || out->host_file == NULL) {
        error_set(error, "smpi/np and smpi/hostfile are needed");
        return NETWORK_BROKEN;
    }
    if (out->ranks >= MOST_RANKS) {
        error_set(error, "a run on %zu ranks", out->ranks);
        return NETWORK_NOT_COVERED;
    }
    return NETWORK_COVERED;
}

enum host_network_result engine_options_read(struct engine_options *out, int argc, char **argv,
                                             struct error *error) {
    int i = 2;
    *out = (struct engine_options){.program = argc > 1 ? argv[1] : NULL};
    for (; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], "--cfg=", 6) == 0 && note_setting(argv[i] + 6, error) != 0)
            return NETWORK_BROKEN;
    if (i + 1 >= argc) {
        error_set(error, "usage: smpimain PROGRAM --cfg=KEY:VALUE... -- PLATFORM ARGUMENTS...");
        return NETWORK_BROKEN;
    }
    out->platform = argv[i + 1];
    out->arguments = argv + i + 2;
    out->argument_count = argc - i - 2;
    return take_start(out, error);
}

/* What the platform says about messages holds where the command says nothing. */
static enum host_network_result take_from_platform(const struct host_network *network,
                                                   struct error *error) {
    static const char *const keys[] = {
        "smpi/os",   "smpi/ois",    "smpi/or",    "smpi/send-is-detached-thresh",
        "smpi/test", "smpi/iprobe", "smpi/wtime", "smpi/async-small-thresh"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = host_network_setting(network, keys[i]);
        int taken = value != NULL ? take_message_setting(keys[i], value, error) : 1;
        if (taken < 0)
            return NETWORK_BROKEN;
        if (taken == 0) {
            error_set(error, "the setting %s:%s", keys[i], value);
            return NETWORK_NOT_COVERED;
        }
    }
    return NETWORK_COVERED;
}

enum host_network_result engine_options_apply(struct host_network *network, struct error *error) {
    enum host_network_result result = take_from_platform(network, error);
    for (size_t i = 0; result == NETWORK_COVERED && i < given_settings.count; i++)
        result = take_setting(network, &given_settings.items[i], error);
    return result;
}
