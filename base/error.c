/* SPDX-License-Identifier: Apache-2.0
 *
 * One error text of bounded size, first writer wins.
 */
#include "base/error.h"

#include "base/status_line.h"

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

void error_print(const struct error *error) {
    status_line_hide();
    if (strstr(error->text, ": error: ") != NULL)
        fprintf(stderr, "%s\n", error->text);
    else
        fprintf(stderr, "mpiskel: error: %s\n", error->text);
}

void note(const char *format, ...) {
    va_list args;
    status_line_hide();
    va_start(args, format);
    fputs("mpiskel: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
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
