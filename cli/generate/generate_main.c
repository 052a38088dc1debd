/* SPDX-License-Identifier: Apache-2.0
 *
 * The program behind `mpiskel generate`, `cc` and `cxx`, which lies with the libraries; mpiskel
 * starts it, with the name of the command in the place of its own.
 */
#include "base/error.h"
#include "base/process.h"
#include "cli/common/commands.h"

#include <argp.h>
#include <string.h>

int main(int argc, char **argv) {
    argp_err_exit_status = EXIT_USAGE;
    process_handle_signals();
    if (strcmp(argv[0], "cc") == 0 || strcmp(argv[0], "cxx") == 0)
        return process_exit_code(command_cc(argc, argv));
    return process_exit_code(command_generate(argc, argv));
}
