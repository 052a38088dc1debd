/* SPDX-License-Identifier: Apache-2.0
 *
 * From text to tree, by the lexer that flex makes and the parser that bison makes.
 */
#include "analysis/events/syntax/syntax.h"

#include "events_parser.h"

#define YYSTYPE EVENTS_STYPE
#define YYLTYPE EVENTS_LTYPE
#include "events_lexer.h"

int syntax_parse(struct syntax_program *out, struct arena *arena, struct script *script) {
    struct parse_state parser = {
        .script = script, .out = out, .next = {1, 1}, .end = {1, 1}, .last_end = {1, 1}};
    yyscan_t scanner;
    *out = (struct syntax_program){.arena = arena};
    events_lex_init_extra(&parser, &scanner);
    YY_BUFFER_STATE buffer = events__scan_bytes(script->text, (int)script->length, scanner);
    int result = events_parse(&parser, scanner);
    events__delete_buffer(buffer, scanner);
    events_lex_destroy(scanner);
    return result == 0 && script->errors == 0 ? 0 : -1;
}

void syntax_dispose(struct syntax_program *program) {
    for (size_t i = 0; i < program->inputs.count; i++) {
        vec_dispose(&program->inputs.items[i].fields);
        vec_dispose(&program->inputs.items[i].places);
    }
    for (size_t i = 0; i < program->views.count; i++)
        vec_dispose(&program->views.items[i].options);
    vec_dispose(&program->declarations);
    vec_dispose(&program->inputs);
    vec_dispose(&program->rules);
    vec_dispose(&program->views);
}
