/* SPDX-License-Identifier: Apache-2.0
 *
 * The language of event expressions: each case of language.cases and mistakes.cases is a claim, a
 * program, text records, and what is printed. In a case with "-" in place of records they are those
 * below.
 */
#include "analysis/events/result.h"
#include "analysis/events/view/text_view.h"
#include "analysis/source/text_records.h"
#include "base/file.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static const char usual_records[] = "SEND { int time; int q; float w; string who; }\n"
                                    "RECV { int time; int q; string who; }\n"
                                    "SEND 1000 1 1 ann\n"
                                    "RECV 1000 1 cid\n"
                                    "SEND 1010 1 2.5 bob\n"
                                    "RECV 1035 2 ann\n"
                                    "SEND 1040 7 4 ann\n"
                                    "RECV 1045 3 ann\n";

struct language_case {
    char *claim, *program, *records, *answer;
};

static void show_results(struct str *out, struct events_program *program) {
    result_list results;
    struct str text = {0};
    if (results_collect(&results, program) == 0)
        for (size_t i = 0; i < results.count; i++)
            text_view(&text, &results.items[i], 80);
    str_add(out, str_text(&program->script->messages));
    str_add(out, str_text(&text));
    str_dispose(&text);
    vec_dispose(&results);
}

static void run_program(struct str *out, struct event_source *source, const char *text) {
    struct arena arena = {0};
    struct script script;
    struct events_program program;
    struct error error = {0};
    size_t count;
    script_init(&script, "case", text, strlen(text));
    if (expressions_load(&program, &arena, &script, source, NULL, 0) != 0)
        str_add(out, str_text(&script.messages));
    else if (expressions_run(&count, &program, source, &error) != 0)
        str_printf(out, "%s\n", error.text);
    else
        show_results(out, &program);
    expressions_dispose(&program);
    script_dispose(&script);
    arena_dispose(&arena);
}

static void run_case(struct str *out, const struct language_case *one) {
    const char *records = strcmp(one->records, "-\n") == 0 ? usual_records : one->records;
    struct event_source *source = NULL;
    struct error error = {0};
    FILE *stream = fmemopen((void *)(uintptr_t)records, strlen(records), "r");
    if (text_records_read(&source, stream, "records", &error) != 0)
        str_printf(out, "%s\n", error.text);
    else
        run_program(out, source, one->program);
    event_source_close(source);
}

/* Blanks at ends of lines, which editors remove. */
static void strip(char *text) {
    char *to = text;
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\n')
            while (to > text && to[-1] == ' ')
                to--;
        *to++ = *at;
    }
    *to = '\0';
}

static void test_case(void **state) {
    const struct language_case *one = *state;
    struct str out = {0};
    run_case(&out, one);
    strip(out.text);
    assert_string_equal(out.text, one->answer);
    str_dispose(&out);
}

/* The text from *at up to `end`, with its newline; *at goes behind `end`. */
static char *take_part(const char **at, struct arena *arena, const char *end) {
    const char *begin = *at, *found = strstr(begin, end);
    assert_non_null(found);
    *at = found + strlen(end);
    return arena_strndup(arena, begin, (size_t)(found + 1 - begin));
}

/* A case begins with "=== claim"; its parts end with "---", the answer before the next case. */
static const char *read_case(struct language_case *out, struct arena *arena, const char *at) {
    const char *next = strstr(at, "\n\n=== ");
    out->claim = take_part(&at, arena, "\n");
    out->claim[strlen(out->claim) - 1] = '\0';
    out->program = take_part(&at, arena, "\n---\n");
    out->records = take_part(&at, arena, "\n---\n");
    out->answer =
        next != NULL ? arena_strndup(arena, at, (size_t)(next + 1 - at)) : arena_strdup(arena, at);
    return next != NULL ? next + strlen("\n\n=== ") : NULL;
}

typedef VEC(struct CMUnitTest) test_list;

static void add_cases(test_list *tests, struct arena *arena, const char *name) {
    struct error error = {0};
    char *path = path_join(arena, SOURCE_DIRECTORY, name), *text;
    size_t length;
    if (file_read(&text, &length, path, &error) != 0)
        fail_msg("%s", error.text);
    for (const char *at = strstr(text, "\n=== ") + strlen("\n=== "); at != NULL;) {
        struct language_case *one = ARENA_NEW(arena, struct language_case);
        at = read_case(one, arena, at);
        vec_push(tests, (struct CMUnitTest){one->claim, test_case, NULL, NULL, one});
    }
    free(text);
}

int main(void) {
    struct arena arena = {0};
    test_list tests = {0};
    add_cases(&tests, &arena, "language.cases");
    add_cases(&tests, &arena, "mistakes.cases");
    int failed = _cmocka_run_group_tests("events", tests.items, tests.count, NULL, NULL);
    vec_dispose(&tests);
    arena_dispose(&arena);
    return failed;
}
