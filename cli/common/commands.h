/* SPDX-License-Identifier: Apache-2.0
 *
 * The subcommands. Each takes its own arguments (argv[0] is its name) and returns the exit code of
 * the process (enum exit_code in base/error.h, or a child's own).
 */
#pragma once

int command_calibrate(int argc, char **argv);
int command_capture(int argc, char **argv);
int command_cc(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_events(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_fit(int argc, char **argv);
int command_gather(int argc, char **argv);
int command_generate(int argc, char **argv);
int command_loops(int argc, char **argv);
int command_machines(int argc, char **argv);
int command_models(int argc, char **argv);
int command_plan(int argc, char **argv);
int command_platform(int argc, char **argv);
int command_record(int argc, char **argv);
int command_synthesize(int argc, char **argv);
int command_reduce(int argc, char **argv);
int command_report(int argc, char **argv);
int command_run(int argc, char **argv);
int command_signature(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_scale(int argc, char **argv);
int command_trace(int argc, char **argv);
int command_validate(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_whatif(int argc, char **argv);
