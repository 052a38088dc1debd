/* SPDX-License-Identifier: Apache-2.0
 *
 * See json_text.h.
 */
#include "runtime/common/json_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void bsim__json_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c >= 127)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void bsim__json_arguments(FILE *out) {
    char *argument = NULL;
    size_t size = 0;
    FILE *file = fopen("/proc/self/cmdline", "r");
    fputc('[', out);
    for (int i = 0; file != NULL && getdelim(&argument, &size, '\0', file) > 0; i++) {
        if (i > 1)
            fputc(',', out);
        if (i > 0)
            bsim__json_string(out, argument);
    }
    fputc(']', out);
    if (file != NULL)
        fclose(file);
    free(argument);
}

void bsim__json_processor(FILE *out) {
    char line[256], *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && name == NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL)
            name = strchr(line, ':') + 1;
    if (file != NULL)
        fclose(file);
    name = name != NULL ? name + strspn(name, " \t") : "";
    if (name[0] != '\0')
        name[strcspn(name, "\n")] = '\0';
    bsim__json_string(out, name);
}

void bsim__json_begin_trace(FILE *out, int ranks, bool has_details) {
    fprintf(out,
            "{\"format\":\"mpiskel-trace\",\"version\":1,\"ranks\":%d,\"source\":\"real\","
            "\"waits\":false,%s\"application\":",
            ranks, has_details ? "\"details\":true," : "");
    bsim__json_string(out, program_invocation_short_name);
    fputs(",\"arguments\":", out);
    bsim__json_arguments(out);
}
