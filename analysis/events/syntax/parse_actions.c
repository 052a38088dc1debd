/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the tree. What is too deep or too much is refused here, so that those who walk trees
 * recursively need not count.
 */
#include "analysis/events/syntax/parse_actions.h"

#include "base/words.h"

#include <string.h>

static struct syntax *node_new(struct parse_state *parser, enum syntax_type type,
                               struct script_place place, size_t part_count) {
    struct syntax *node = ARENA_NEW(parser->out->arena, struct syntax);
    node->type = type;
    node->place = place;
    node->part_count = part_count;
    node->parts = ARENA_ARRAY(parser->out->arena, struct syntax *, part_count + 1);
    return node;
}

static void set_part(struct parse_state *parser, struct syntax *node, size_t i,
                     struct syntax *part) {
    node->parts[i] = part;
    if (node->depth <= part->depth)
        node->depth = part->depth + 1;
    if (node->depth != MOST_DEPTH + 1)
        return;
    node->depth++;
    parser->failed = true;
    script_fail(parser->script, node->place,
                "this expression is more than %d operators deep; give parts of it names",
                MOST_DEPTH);
}

struct syntax *syntax_new(struct parse_state *parser, enum syntax_type type,
                          struct script_place place, const char *text, struct syntax *first,
                          struct syntax *second) {
    size_t count = (first != NULL) + (size_t)(second != NULL);
    struct syntax *node = node_new(parser, type, place, count);
    node->text = text;
    if (first != NULL)
        set_part(parser, node, 0, first);
    if (second != NULL)
        set_part(parser, node, 1, second);
    return node;
}

struct syntax *syntax_new_list(struct parse_state *parser, enum syntax_type type,
                               struct script_place place, const char *text, syntax_list *parts) {
    struct syntax *node = node_new(parser, type, place, parts->count);
    node->text = text;
    for (size_t i = 0; i < parts->count; i++)
        set_part(parser, node, i, parts->items[i]);
    vec_dispose(parts);
    free(parts);
    return node;
}

struct syntax *parse_value(struct parse_state *parser, struct script_place place,
                           enum event_type type, union event_value value) {
    struct syntax *node = node_new(parser, SYNTAX_VALUE, place, 0);
    node->value_type = type;
    node->value = value;
    return node;
}

struct syntax *parse_operator(struct parse_state *parser, struct script_place place,
                              const char *text, struct syntax *first, struct syntax *second) {
    return syntax_new(parser, SYNTAX_OPERATOR, place, text, first, second);
}

struct syntax *parse_cast(struct parse_state *parser, struct script_place place,
                          enum event_type type, struct syntax *part) {
    struct syntax *node = syntax_new(parser, SYNTAX_CAST, place, NULL, part, NULL);
    node->value_type = type;
    return node;
}

struct syntax *parse_choice(struct parse_state *parser, struct script_place place,
                            struct syntax *condition, struct syntax *yes, struct syntax *no) {
    struct syntax *node = node_new(parser, SYNTAX_CHOICE, place, 3);
    set_part(parser, node, 0, condition);
    set_part(parser, node, 1, yes);
    set_part(parser, node, 2, no);
    return node;
}

syntax_list *parse_list(syntax_list *list, struct syntax *node) {
    if (list == NULL) {
        list = xmalloc(sizeof *list);
        *list = (syntax_list){0};
    }
    if (node != NULL)
        vec_push(list, node);
    return list;
}

void parse_begin_declaration(struct parse_state *parser, struct script_place place,
                             const char *name) {
    parser->declaration = (struct syntax_declaration){
        .place = place, .name = name, .type = parser->declared_type, .role = parser->declared_role};
}

void parse_add_dimension(struct parse_state *parser, struct syntax_dimension dimension) {
    struct syntax_declaration *declaration = &parser->declaration;
    if (declaration->dimension_count < MOST_DIMENSIONS)
        declaration->dimensions[declaration->dimension_count++] = dimension;
    else if (!parser->failed)
        script_fail(parser->script, dimension.place, "an array has at most %d dimensions",
                    MOST_DIMENSIONS);
    if (declaration->dimension_count > 1 && dimension.size == NULL)
        script_fail(parser->script, dimension.place,
                    "only the first dimension may grow or have keys; write its size");
}

void parse_end_declaration(struct parse_state *parser, struct syntax *initial) {
    struct syntax_declaration *declaration = &parser->declaration;
    if (parser->declared_vector && declaration->dimension_count == 0)
        declaration->dimensions[declaration->dimension_count++] =
            (struct syntax_dimension){.place = declaration->place};
    declaration->initial = initial;
    vec_push(&parser->out->declarations, *declaration);
}

void parse_begin_input(struct parse_state *parser, const char *name) {
    vec_push(&parser->out->inputs, (struct syntax_input){.name = name});
}

void parse_add_field(struct parse_state *parser, struct script_place place, enum event_type type,
                     const char *name) {
    struct syntax_input *input = &parser->out->inputs.items[parser->out->inputs.count - 1];
    vec_push(&input->fields, (struct event_field){.name = name, .type = type});
    vec_push(&input->places, place);
}

/* The text from a place to the end of the token before the one in hand. */
static const char *text_from(struct parse_state *parser, struct script_place place) {
    const char *begin = script_at(parser->script, place);
    const char *end = script_at(parser->script, parser->last_end);
    return arena_strndup(parser->out->arena, begin, end > begin ? (size_t)(end - begin) : 0);
}

void parse_add_rule(struct parse_state *parser, struct script_place place, struct syntax *target,
                    const char *compound, struct script_place compound_place,
                    struct syntax *value) {
    struct syntax_rule rule = {.place = place,
                               .target = target,
                               .compound = compound,
                               .compound_place = compound_place,
                               .value = value};
    if (value->type == SYNTAX_FILTER) {
        rule.value = value->parts[0];
        rule.filter = value->parts[1];
    }
    if (target == NULL)
        rule.text = text_from(parser, place);
    vec_push(&parser->out->rules, rule);
}

void parse_begin_view(struct parse_state *parser, struct script_place place, const char *view,
                      struct script_place variable_place, const char *variable) {
    vec_push(&parser->out->views, (struct syntax_view){.place = place,
                                                       .variable_place = variable_place,
                                                       .view = view,
                                                       .variable = variable});
}

void parse_add_option(struct parse_state *parser, struct script_place place, const char *name,
                      struct syntax *value) {
    struct syntax_view *view = &parser->out->views.items[parser->out->views.count - 1];
    vec_push(&view->options, (struct syntax_option){place, name, value});
}

static bool expects(const struct parse_surprise *surprise, const char *token) {
    return words_contain(surprise->expected.items, surprise->expected.count, token);
}

static const char *missing_bracket(const struct parse_surprise *surprise) {
    static const char *const brackets[] = {"')'", "']'", "'}'"};
    for (size_t i = 0; i < sizeof brackets / sizeof *brackets; i++)
        if (expects(surprise, brackets[i]))
            return brackets[i];
    return NULL;
}

void parse_report(struct parse_state *parser, const struct parse_surprise *surprise) {
    const char *found = surprise->at_end ? "the end" : parser->token;
    int length = surprise->at_end ? 7 : (int)parser->token_length;
    const char *quote = surprise->at_end ? "" : "'", *bracket = missing_bracket(surprise);
    if (parser->failed)
        return;
    parser->failed = true;
    if (length == 1 && *found == '=' && !surprise->at_end)
        script_fail(parser->script, surprise->place,
                    "'=' assigns, and only at the beginning of a rule; write == to compare");
    else if (expects(surprise, "a number"))
        script_fail(parser->script, surprise->place, "an expression belongs here, not %s%.*s%s",
                    quote, length, found, quote);
    else if (bracket != NULL)
        script_fail(parser->script, parser->last_end, "%s is missing before %s%.*s%s", bracket,
                    quote, length, found, quote);
    else if (expects(surprise, "';'"))
        script_fail(parser->script, parser->last_end, "';' is missing before %s%.*s%s", quote,
                    length, found, quote);
    else
        script_fail(parser->script, surprise->place, "%s belongs here, not %s%.*s%s",
                    surprise->expected.count > 0 ? surprise->expected.items[0] : "nothing", quote,
                    length, found, quote);
}
