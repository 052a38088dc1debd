/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a fuzz target on files, as libFuzzer does with them.
 */
#include "base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        struct error error = {0};
        char *text;
        size_t length;
        if (file_read(&text, &length, argv[i], &error) != 0) {
            error_print(&error);
            return 1;
        }
        LLVMFuzzerTestOneInput((const uint8_t *)text, length);
        free(text);
    }
    printf("%d seeds\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
