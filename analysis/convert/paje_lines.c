/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/convert/paje_lines.h"

#include <ctype.h>
#include <string.h>

int paje_lines_fail(const struct paje_lines *lines, const char *what, struct error *error) {
    return error_set(error, "%s:%d:1: error: %s", lines->path, lines->line, what);
}

void paje_lines_start(struct paje_lines *lines, const char *text, const char *path) {
    lines->path = path;
    lines->at = text;
    lines->line = 0;
}

static void forget(struct paje_definition *definition) {
    free(definition->event);
    for (int i = 0; i < definition->field_count; i++)
        free(definition->fields[i]);
    *definition = (struct paje_definition){0};
}

void paje_lines_dispose(struct paje_lines *lines) {
    for (struct paje_definition *one = hash_table_first(&lines->definitions); one != NULL;
         one = hash_table_next(one))
        forget(one);
    hash_table_dispose(&lines->definitions);
    free(lines->copy);
}

/* The next word, in quotes or not; NULL: there is none. The line is changed. */
static char *take_word(char **rest) {
    char *at = *rest;
    while (isspace((unsigned char)*at))
        at++;
    if (*at == '\0')
        return NULL;
    char end = *at == '"' ? '"' : ' ';
    char *word = *at == '"' ? ++at : at;
    while (*at != '\0' && (end == '"' ? *at != '"' : !isspace((unsigned char)*at)))
        at++;
    if (*at != '\0')
        *at++ = '\0';
    *rest = at;
    return word;
}

/* False: there are no more lines. */
static bool take_line(struct paje_lines *lines) {
    if (*lines->at == '\0')
        return false;
    size_t length = strcspn(lines->at, "\n");
    free(lines->copy);
    lines->copy = xmalloc(length + 1);
    memcpy(lines->copy, lines->at, length);
    lines->copy[length] = '\0';
    lines->at += length + (lines->at[length] != '\0');
    lines->line++;
    return true;
}

static int read_fields(struct paje_definition *out, struct paje_lines *lines, struct error *error) {
    while (take_line(lines)) {
        char *rest = lines->copy + strspn(lines->copy, "% \t");
        char *word = take_word(&rest);
        if (word != NULL && strcmp(word, "EndEventDef") == 0)
            return 0;
        if (word == NULL || out->field_count == PAJE_FIELDS)
            return paje_lines_fail(lines, "a definition has a field a line, at most 32", error);
        out->fields[out->field_count++] = xstrdup(word);
    }
    return paje_lines_fail(lines, "the definition has no %EndEventDef", error);
}

static int read_definition(struct paje_lines *lines, char *rest, struct error *error) {
    char *event = take_word(&rest), *number = event != NULL ? take_word(&rest) : NULL;
    if (number == NULL)
        return paje_lines_fail(lines, "a definition is %EventDef NAME NUMBER", error);
    struct paje_definition *out =
        hash_table_add_text(&lines->definitions, number, sizeof(struct paje_definition));
    forget(out);
    out->event = xstrdup(event);
    return read_fields(out, lines, error);
}

static int read_event(struct paje_lines *lines, char *number, char *rest, struct error *error) {
    lines->definition = hash_table_find_text(&lines->definitions, number);
    lines->word_count = 0;
    if (lines->definition == NULL)
        return paje_lines_fail(lines, "no %EventDef has this number", error);
    lines->event = lines->definition->event;
    for (char *word; lines->word_count < PAJE_FIELDS && (word = take_word(&rest)) != NULL;)
        lines->words[lines->word_count++] = word;
    return 1;
}

int paje_lines_next(struct paje_lines *lines, struct error *error) {
    while (take_line(lines)) {
        char *rest = lines->copy;
        bool is_definition = rest[strspn(rest, " \t")] == '%';
        if (is_definition)
            rest += strspn(rest, "% \t");
        char *word = take_word(&rest);
        if (word == NULL || word[0] == '#')
            continue;
        if (!is_definition)
            return read_event(lines, word, rest, error);
        if (strcmp(word, "EventDef") == 0 && read_definition(lines, rest, error) != 0)
            return -1;
    }
    return 0;
}

const char *paje_lines_field(const struct paje_lines *lines, const char *name) {
    const struct paje_definition *of = lines->definition;
    for (int i = 0; i < of->field_count && i < lines->word_count; i++)
        if (strcasecmp(of->fields[i], name) == 0)
            return lines->words[i];
    return NULL;
}
