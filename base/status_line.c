/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns are counted as code points of UTF-8: right for all that is printed here but for wide
 * characters in names of files.
 */
#include "base/status_line.h"

#include "base/error.h"
#include "base/file.h"
#include "base/str.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_LEAST 20 /* less is no width that anybody works with, but a terminal's mistake */
#define CUT "..."

static bool is_off, is_shown;

/* INT_MAX where it is no terminal, or does not tell. */
static int columns_of(int fd) {
    struct winsize size = {0};
    bool known = fd >= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS_LEAST;
    return known ? size.ws_col : INT_MAX;
}

static bool begins_character(char byte) {
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* The bytes of the first so many characters. */
static size_t bytes_of(const char *text, int characters) {
    size_t i = 0;
    for (int count = 0; text[i] != '\0'; i++)
        if (begins_character(text[i]) && count++ == characters)
            break;
    return i;
}

static void add_cut(struct str *out, const char *text, int columns) {
    if (columns == INT_MAX || bytes_of(text, columns) == strlen(text))
        str_add(out, text);
    else
        str_printf(out, "%.*s" CUT, (int)bytes_of(text, columns - (int)strlen(CUT)), text);
}

void status_line_switch_off(void) {
    is_off = true;
}

/* Not through the stream, of which others may take down what is said. */
static void replace(const char *text) {
    struct str line = {0};
    int columns = columns_of(STDERR_FILENO);
    str_add(&line, "\r\033[K");
    add_cut(&line, text, columns == INT_MAX ? columns : columns - 1);
    file_write_all(STDERR_FILENO, str_text(&line), line.length);
    str_dispose(&line);
}

void status_line_show(const char *format, ...) {
    struct str text = {0};
    va_list args;
    if (is_off || messages_are(MESSAGES_QUIET) || !isatty(STDERR_FILENO))
        return;
    va_start(args, format);
    str_vprintf(&text, format, args);
    va_end(args);
    replace(str_text(&text));
    str_dispose(&text);
    is_shown = true;
}

void status_line_hide(void) {
    if (is_shown)
        replace("");
    is_shown = false;
}

void row_print(FILE *out, const char *text) {
    struct str row = {0};
    int fd = out == stdout ? STDOUT_FILENO : fileno(out); /* stdout may be a filter, see main.c */
    add_cut(&row, text, columns_of(fd));
    fprintf(out, "%s\n", str_text(&row));
    str_dispose(&row);
}
