/* SPDX-License-Identifier: Apache-2.0
 *
 * The program behind `mpiskel generate`, which lies with the libraries; mpiskel starts it.
 */
#include "base/error.h"
#include "base/process.h"
#include "cli/common/commands.h"

#include <argp.h>

int main(int argc, char **argv) {
    argp_err_exit_status = EXIT_USAGE;
    process_handle_signals();
    return process_exit_code(command_generate(argc, argv));
}
