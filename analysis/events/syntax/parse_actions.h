/* SPDX-License-Identifier: Apache-2.0
 *
 * What the grammar does when it has recognized something, and what it says when it has not.
 */
#pragma once

#include "analysis/events/syntax/syntax.h"

/* A token where the grammar has none like it. */
struct parse_surprise {
    struct script_place place;
    bool at_end;                /* it is the end of the text */
    VEC(const char *) expected; /* as the grammar writes them */
};

void parse_report(struct parse_state *parser, const struct parse_surprise *surprise);

struct syntax *parse_value(struct parse_state *parser, struct script_place place,
                           enum event_type type, union event_value value);
struct syntax *parse_operator(struct parse_state *parser, struct script_place place,
                              const char *text, struct syntax *first, struct syntax *second);
struct syntax *parse_cast(struct parse_state *parser, struct script_place place,
                          enum event_type type, struct syntax *part);
struct syntax *parse_choice(struct parse_state *parser, struct script_place place,
                            struct syntax *condition, struct syntax *yes, struct syntax *no);
/* NULL list: a new one; NULL node: nothing is added. */
syntax_list *parse_list(syntax_list *list, struct syntax *node);

void parse_begin_declaration(struct parse_state *parser, struct script_place place,
                             const char *name);
void parse_add_dimension(struct parse_state *parser, struct syntax_dimension dimension);
void parse_end_declaration(struct parse_state *parser, struct syntax *initial);

void parse_begin_input(struct parse_state *parser, const char *name);
void parse_add_field(struct parse_state *parser, struct script_place place, enum event_type type,
                     const char *name);

/* `target` NULL: an expression alone. */
void parse_add_rule(struct parse_state *parser, struct script_place place, struct syntax *target,
                    const char *compound, struct script_place compound_place, struct syntax *value);

void parse_begin_view(struct parse_state *parser, struct script_place place, const char *view,
                      struct script_place variable_place, const char *variable);
void parse_add_option(struct parse_state *parser, struct script_place place, const char *name,
                      struct syntax *value);
