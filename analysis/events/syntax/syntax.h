/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of event expressions as the parser leaves it: declarations, rules and views, whose
 * expressions are trees. All of it lives in one arena. Members below "what the checker finds" are
 * set by check_expression.c and check_builtin.c.
 */
#pragma once

#include "analysis/events/syntax/script.h"
#include "analysis/source/event_source.h"
#include "base/arena.h"
#include "base/vec.h"

#define MOST_DIMENSIONS 4  /* of an array */
#define MOST_DEPTH 500     /* of an expression; those who walk it are recursive */
#define DIMENSION_GROWS -1 /* in place of a number */

enum syntax_type {
    SYNTAX_VALUE,    /* a number or a text */
    SYNTAX_NAME,     /* of a variable, a kind of event, or a constant */
    SYNTAX_FIELD,    /* NAME.text */
    SYNTAX_INDEX,    /* parts[0] [parts[1]] */
    SYNTAX_OPERATOR, /* text of one or two parts, by overload */
    SYNTAX_AND,      /* these two and the next evaluate what is needed only */
    SYNTAX_OR,
    SYNTAX_CHOICE, /* parts[0] ? parts[1] : parts[2] */
    SYNTAX_FILTER, /* parts[0] if parts[1] */
    SYNTAX_CAST,   /* (type) parts[0] */
    SYNTAX_CALL,   /* text(parts) */
    SYNTAX_BY,     /* parts[0] by parts[1]: the first argument of a call */
    SYNTAX_LIST,   /* {parts} */
};

/* The form of an array, or of the part of one that an expression stands for. */
struct syntax_shape {
    size_t dimension_count;           /* 0: one value */
    long dimensions[MOST_DIMENSIONS]; /* or DIMENSION_GROWS, the first only */
    bool keyed;                       /* the first goes by keys, in place of numbers from 0 on */
    enum event_type key_type;
};

struct syntax {
    enum syntax_type type;
    struct script_place place;
    size_t depth;
    const char *text;           /* of names, fields, operators, calls */
    enum event_type value_type; /* of values and casts */
    union event_value value;
    const char *unit; /* of a value that was a constant; NULL: none */
    struct syntax **parts;
    size_t part_count;

    /* What the checker finds. */
    enum event_type result; /* a kind of event counts as int: 1 at such events, else 0 */
    struct syntax_shape shape;
    struct events_variable *variable; /* of names */
    struct events_kind *kind;         /* of names, fields */
    size_t field;
    const struct overload *overload; /* of operators and calls that go element by element */
    const struct builtin *builtin;   /* of other calls */
    struct aggregate_states *states; /* of calls that sum up what has been so far */
    struct events_array *array;      /* of calls and lists that make an array */

    /* What the compiler knows. */
    struct events_access *access;  /* of indices */
    const union event_value *once; /* its value, found before a loop over elements; or NULL */
    size_t updated_in; /* of calls: the plan whose rule has brought the sum up to date */
};

typedef VEC(struct syntax *) syntax_list;

struct syntax_dimension {
    struct script_place place;
    struct syntax *size; /* NULL: grows, or has keys */
    bool keyed;
    enum event_type key_type;
};

enum syntax_role { ROLE_TEMPORARY, ROLE_OUTPUT };

struct syntax_declaration {
    struct script_place place;
    const char *name;
    enum event_type type;
    enum syntax_role role;
    struct syntax_dimension dimensions[MOST_DIMENSIONS];
    size_t dimension_count;
    struct syntax *initial; /* NULL: zeroes */
};

/* `input NAME { type field; }` */
struct syntax_input {
    const char *name;
    VEC(struct event_field) fields;
    VEC(struct script_place) places;
};

struct syntax_rule {
    struct script_place place;
    struct syntax *target; /* NULL: an expression alone, whose value is an output */
    const char *compound;  /* of the operator in +=; NULL: = */
    struct script_place compound_place;
    struct syntax *value;
    struct syntax *filter; /* NULL: none */
    const char *text;      /* of an expression alone */
};

struct syntax_option {
    struct script_place place;
    const char *name;
    struct syntax *value;
};

struct syntax_view {
    struct script_place place, variable_place;
    const char *view, *variable;
    VEC(struct syntax_option) options;
};

/* Vectors are disposed of by syntax_dispose. */
struct syntax_program {
    struct arena *arena;
    VEC(struct syntax_declaration) declarations;
    VEC(struct syntax_input) inputs;
    VEC(struct syntax_rule) rules;
    VEC(struct syntax_view) views;
};

/* What the parser keeps between its actions. */
struct parse_state {
    struct script *script;
    struct syntax_program *out;
    struct script_place next;          /* what the lexer reads next */
    struct script_place end, last_end; /* behind the token in hand, and the one before */
    const char *token;                 /* in hand; valid until the next one */
    size_t token_length;
    enum event_type declared_type;
    bool declared_vector;
    enum syntax_role declared_role;
    struct syntax_declaration declaration;
    bool failed; /* the lexer has said why */
};

struct syntax *syntax_new(struct parse_state *parser, enum syntax_type type,
                          struct script_place place, const char *text, struct syntax *first,
                          struct syntax *second);
/* Of the parts in the list, which it disposes of. */
struct syntax *syntax_new_list(struct parse_state *parser, enum syntax_type type,
                               struct script_place place, const char *text, syntax_list *parts);

/* Reads the script's text. Of nested brackets there may be some thousands.
 * -1: it has messages. The program is to be disposed of in any case. */
int syntax_parse(struct syntax_program *out, struct arena *arena, struct script *script);
void syntax_dispose(struct syntax_program *program);
