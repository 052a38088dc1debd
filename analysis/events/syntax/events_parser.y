%{
/* SPDX-License-Identifier: Apache-2.0
 *
 * The grammar of event expressions. Operators and their precedence are C's; `A if B` binds loosest. A
 * declaration needs no semicolon, and the last rule of a text needs none either.
 */
#include "analysis/events/syntax/parse_actions.h"

#include <stdlib.h>
%}
%code requires {
#include "analysis/events/syntax/syntax.h"
#define EVENTS_LTYPE struct script_place
#define YYLLOC_DEFAULT(now, right, count) ((now) = (count) ? YYRHSLOC(right, 1) : YYRHSLOC(right, 0))

struct syntax_number {
    enum event_type type;
    union event_value value;
};
}
%code {
int events_lex(EVENTS_STYPE *value, struct script_place *place, void *scanner);
static void events_error(const struct script_place *place, struct parse_state *parser, void *scanner,
                         const char *message);
}
%define api.pure full
%define api.prefix {events_}
%define parse.error custom
%define parse.lac full
%locations
%lex-param {void *scanner}
%parse-param {struct parse_state *parser} {void *scanner}
%expect 0
%union {
    const char *text;
    struct syntax_number number;
    struct syntax *node;
    syntax_list *list;
    enum event_type type;
}
%initial-action { @$ = (struct script_place){1, 1}; }
%token <text> T_NAME "a name" T_TEXT "a text" T_COMPOUND "an assignment" T_OR "||" T_AND "&&" T_EQUAL "==" T_ORDER "<"
%token <text> T_SHIFT "<<"
%token <number> T_NUMBER "a number"
%token T_INT "int" T_FLOAT "float" T_STRING "string" T_VECTOR "vector" T_IF "if" T_BY "by" T_OUTPUT "output"
%token T_TEMPORARY "temporary" T_INPUT "input" T_VIEW "view"
%type <node> expression primary argument filtered value
%type <list> arguments some_arguments
%type <type> type
%destructor { vec_dispose($$); free($$); } <list>
%right '?' ':'
%left T_OR
%left T_AND
%left '|'
%left '^'
%left '&'
%left T_EQUAL
%left T_ORDER
%left T_SHIFT
%left '+' '-'
%left '*' '/' '%'
%precedence '!' '~' UNARY
%%
program: items | items rule ;
items: %empty | items item ;
item: declaration | input | rule ';' | view ';' | ';' ;

declaration: role type_of_declaration declarators ;
role: %empty { parser->declared_role = ROLE_TEMPORARY; }
    | T_TEMPORARY { parser->declared_role = ROLE_TEMPORARY; }
    | T_OUTPUT { parser->declared_role = ROLE_OUTPUT; } ;
type_of_declaration: type { parser->declared_type = $1; parser->declared_vector = false; }
    | T_VECTOR { parser->declared_type = EVENT_FLOAT; parser->declared_vector = true; } ;
type: T_INT { $$ = EVENT_INT; } | T_FLOAT { $$ = EVENT_FLOAT; } | T_STRING { $$ = EVENT_STRING; } ;
declarators: declarator | declarators ',' declarator ;
declarator: name dimensions { parse_end_declaration(parser, NULL); }
    | name dimensions '=' expression ';' { parse_end_declaration(parser, $4); } ;
name: T_NAME { parse_begin_declaration(parser, @1, $1); } ;
dimensions: %empty
    | dimensions '[' expression ']' { parse_add_dimension(parser, (struct syntax_dimension){.place = @2, .size = $3}); }
    | dimensions '[' ']' { parse_add_dimension(parser, (struct syntax_dimension){.place = @2}); }
    | dimensions '[' type ']' {
          parse_add_dimension(parser, (struct syntax_dimension){.place = @2, .keyed = true, .key_type = $3});
      } ;

input: T_INPUT T_NAME '{' { parse_begin_input(parser, $2); } fields '}' ;
fields: %empty | fields type T_NAME ';' { parse_add_field(parser, @3, $2, $3); } ;

rule: expression '=' value { parse_add_rule(parser, @1, $1, NULL, @2, $3); }
    | expression T_COMPOUND value { parse_add_rule(parser, @1, $1, $2, @2, $3); }
    | value { parse_add_rule(parser, @1, NULL, NULL, @1, $1); } ;
value: expression | expression T_IF expression { $$ = syntax_new(parser, SYNTAX_FILTER, @2, NULL, $1, $3); } ;

view: T_VIEW T_NAME '(' T_NAME { parse_begin_view(parser, @2, $2, @4, $4); } options ')' ;
options: %empty | options ',' T_NAME expression { parse_add_option(parser, @3, $3, $4); } ;

expression: primary
    | expression T_OR expression { $$ = syntax_new(parser, SYNTAX_OR, @2, $2, $1, $3); }
    | expression T_AND expression { $$ = syntax_new(parser, SYNTAX_AND, @2, $2, $1, $3); }
    | expression '|' expression { $$ = parse_operator(parser, @2, "|", $1, $3); }
    | expression '^' expression { $$ = parse_operator(parser, @2, "^", $1, $3); }
    | expression '&' expression { $$ = parse_operator(parser, @2, "&", $1, $3); }
    | expression T_EQUAL expression { $$ = parse_operator(parser, @2, $2, $1, $3); }
    | expression T_ORDER expression { $$ = parse_operator(parser, @2, $2, $1, $3); }
    | expression T_SHIFT expression { $$ = parse_operator(parser, @2, $2, $1, $3); }
    | expression '+' expression { $$ = parse_operator(parser, @2, "+", $1, $3); }
    | expression '-' expression { $$ = parse_operator(parser, @2, "-", $1, $3); }
    | expression '*' expression { $$ = parse_operator(parser, @2, "*", $1, $3); }
    | expression '/' expression { $$ = parse_operator(parser, @2, "/", $1, $3); }
    | expression '%' expression { $$ = parse_operator(parser, @2, "%", $1, $3); }
    | '!' expression { $$ = parse_operator(parser, @1, "!", $2, NULL); }
    | '~' expression { $$ = parse_operator(parser, @1, "~", $2, NULL); }
    | '-' expression %prec UNARY { $$ = parse_operator(parser, @1, "-", $2, NULL); }
    | '+' expression %prec UNARY { $$ = $2; }
    | '(' type ')' expression %prec UNARY { $$ = parse_cast(parser, @1, $2, $4); }
    | expression '?' expression ':' expression { $$ = parse_choice(parser, @2, $1, $3, $5); } ;

primary: T_NUMBER { $$ = parse_value(parser, @1, $1.type, $1.value); }
    | T_TEXT { $$ = parse_value(parser, @1, EVENT_STRING, (union event_value){.s = $1}); }
    | T_NAME { $$ = syntax_new(parser, SYNTAX_NAME, @1, $1, NULL, NULL); }
    | primary '.' T_NAME { $$ = syntax_new(parser, SYNTAX_FIELD, @3, $3, $1, NULL); }
    | primary '[' expression ']' { $$ = syntax_new(parser, SYNTAX_INDEX, @2, NULL, $1, $3); }
    | T_NAME '(' arguments ')' { $$ = syntax_new_list(parser, SYNTAX_CALL, @1, $1, $3); }
    | '{' some_arguments '}' { $$ = syntax_new_list(parser, SYNTAX_LIST, @1, NULL, $2); }
    | '(' filtered ')' { $$ = $2; } ;
filtered: expression | expression T_IF expression { $$ = syntax_new(parser, SYNTAX_FILTER, @2, NULL, $1, $3); } ;
argument: filtered | filtered T_BY expression { $$ = syntax_new(parser, SYNTAX_BY, @2, NULL, $1, $3); } ;
arguments: %empty { $$ = parse_list(NULL, NULL); } | some_arguments ;
some_arguments: argument { $$ = parse_list(NULL, $1); } | some_arguments ',' argument { $$ = parse_list($1, $3); } ;
%%
/* Bison calls it where a token has no place in the grammar; parse_actions.c says it in words. */
static int yyreport_syntax_error(const yypcontext_t *context, struct parse_state *parser, void *scanner) {
    yysymbol_kind_t expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);
    struct parse_surprise surprise = {.place = *yypcontext_location(context),
                                      .at_end = yypcontext_token(context) == YYSYMBOL_YYEOF};
    (void)scanner;
    for (int i = 0; i < count; i++)
        vec_push(&surprise.expected, yysymbol_name(expected[i]));
    parse_report(parser, &surprise);
    vec_dispose(&surprise.expected);
    return 0;
}

static void events_error(const struct script_place *place, struct parse_state *parser, void *scanner,
                         const char *message) {
    (void)scanner;
    script_fail(parser->script, *place, "%s: this nests too deeply; give parts of it names", message);
}
