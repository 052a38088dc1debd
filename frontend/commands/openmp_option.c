/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend/commands/openmp_option.h"

#include "base/str.h"

#include <string.h>

bool openmp_option_is_on(const char *option) {
    return text_has_prefix(option, "-fopenmp") && !text_has_prefix(option, "-fopenmp-simd");
}

bool openmp_option_is_given(const struct compile_command *command) {
    bool is = false;
    for (size_t i = 0; i < command->arguments.count; i++) {
        const char *word = command->arguments.items[i];
        if (strcmp(word, "-fno-openmp") == 0)
            is = false;
        else
            is = is || openmp_option_is_on(word) || text_has_prefix(word, "-qopenmp");
    }
    return is;
}

bool openmp_option_is_for_devices(const char *option) {
    static const char *const prefixes[] = {"-fopenmp-targets", "-fopenmp-target-", "--offload-arch",
                                           "-Xopenmp-target", "-foffload"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_has_prefix(option, prefixes[i]))
            return true;
    return false;
}
