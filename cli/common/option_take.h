/* SPDX-License-Identifier: Apache-2.0
 *
 * What options take, one function for each kind of value, with its check.
 *
 * Each gets the member that it writes, the option, and the text behind it (NULL: there is none);
 * 0 or -1. An own one of a command gets the struct of options in place of a member.
 */
#pragma once

#include "base/error.h"
#include "base/vec.h"

struct command_option;

typedef int option_take(void *out, const struct command_option *option, const char *text,
                        struct error *error);

/* What option_take_texts writes. */
typedef VEC(const char *) option_texts;

option_take option_take_on;  /* a bool is true where the option is given */
option_take option_take_off; /* or false */
option_take option_take_text;
option_take option_take_filled;  /* the text, which is not empty */
option_take option_take_texts;   /* those of an option that may be given again and again */
option_take option_take_count;   /* from 1 on */
option_take option_take_whole;   /* from `least` to `most` (0: any); no sign */
option_take option_take_number;  /* of `unit` from `least` to `most`; percent may have their sign */
option_take option_take_speed;   /* of a machine, "1Gf"; flop/s */
option_take option_take_choice;  /* the number of one of the words in `value`, a|b|c */
option_take option_take_set;     /* bits of an unsigned: several of them, with commas between */
option_take option_take_word;    /* the text, which is one of these words */
option_take option_take_clock;   /* the text; programs that are started get it as BSIM_CLOCK */
option_take option_take_machine; /* the text, which is a machine's name */
