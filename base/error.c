/* SPDX-License-Identifier: Apache-2.0
 *
 * One error text of bounded size, first writer wins; and how messages look on the screen: pages are
 * named by the place where they are installed, and characters that steer a terminal are shown, not
 * sent.
 */
#include "base/error.h"

#include "base/file.h"
#include "base/status_line.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int error_set(struct error *error, const char *format, ...) {
    if (error->set)
        return -1;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    error->set = true;
    return -1;
}

#define LEVEL                                                                                      \
    "MPISKEL_MESSAGES" /* of the environment, so that it holds for commands that are started, too  \
                        */
#define PAGES "docs/"

void messages_set(const char *level) {
    setenv(LEVEL, level, 1);
}

bool messages_are(const char *level) {
    const char *set = getenv(LEVEL);
    return set != NULL && strcmp(set, level) == 0;
}

/* Of the bytes there, so many are a character that steers a terminal (C0, C1 in UTF-8); 0: they are
 * text. */
static size_t steering_length(const unsigned char *at) {
    if ((at[0] < ' ' && at[0] != '\n' && at[0] != '\t') || at[0] == 0x7f)
        return 1;
    return at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f ? 2 : 0;
}

/* How many bytes of the text are a character that is shown. */
static size_t add_shown(struct str *out, const char *text, size_t size) {
    const unsigned char *at = (const unsigned char *)text;
    size_t length = size > 1 || at[0] != 0xc2 ? steering_length(at) : 0;
    for (size_t k = 0; k < length; k++)
        str_printf(out, "\\x%02x", at[k]);
    if (length == 0)
        str_printf(out, "%c", at[0]);
    return length > 0 ? length : 1;
}

void text_show(FILE *out, const char *text, size_t size) {
    struct str shown = {0};
    for (size_t i = 0; i < size;)
        i += add_shown(&shown, text + i, size - i);
    fwrite(str_text(&shown), 1, shown.length, out);
    str_dispose(&shown);
}

/* "docs/" begins a name there: it is not the end of another path. */
static bool begins_page(const char *text, const char *at) {
    return at == text || strchr(" (", at[-1]) != NULL;
}

char *message_text(struct arena *arena, const char *text) {
    struct str out = {0};
    const char *documents = path_of_documents(arena);
    for (const char *at = text; *at != '\0';) {
        if (documents != NULL && text_has_prefix(at, PAGES) && begins_page(text, at))
            str_printf(&out, "%s/", documents);
        at += add_shown(&out, at, strlen(at));
    }
    return str_into(arena, &out);
}

static void print_message(const char *text) {
    struct arena arena = {0};
    fprintf(stderr, "%s\n", message_text(&arena, text));
    arena_dispose(&arena);
}

void error_print(const struct error *error) {
    status_line_hide();
    if (strstr(error->text, ": error: ") == NULL)
        fputs("mpiskel: error: ", stderr);
    print_message(error->text);
}

void note(const char *format, ...) {
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    bool is_warning = strncmp(str_text(&text), "warning", strlen("warning")) == 0;
    if (is_warning || !messages_are(MESSAGES_QUIET)) {
        status_line_hide();
        fputs("mpiskel: ", stderr);
        print_message(str_text(&text));
    }
    str_dispose(&text);
}

bool invariants_are_checked(void) {
    static int known = -1;
    if (known < 0) {
        const char *asked = getenv("MPISKEL_CHECK");
        known = asked != NULL && asked[0] != '\0' && strcmp(asked, "0") != 0;
    }
    return known == 1;
}

void invariant_require(const char *stage, int result, const struct error *error) {
    if (result == 0)
        return;
    fprintf(stderr,
            "mpiskel: error: a fault of mpiskel, not of your program: %s: %s; please report it "
            "with the command and its input\n",
            stage, error->text);
    abort();
}
