/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks into what the runtimes write, for the tests.
 *
 *   inspect value FILE PATH          a number or text in a JSON file; PATH is keys and indices
 *                                    separated by dots: regions.1.executions
 *   inspect samples FILE KEY         a value of the first line of a samples file
 *   inspect sum FILE REGION KEY      the sum of KEY over all samples of the region
 *   inspect lines FILE REGION        how many samples there are of the region
 *
 * Each line of a samples file has to be valid JSON, and the last line has to tell their number.
 */
#include "base/file.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int die(const char *what) {
    fprintf(stderr, "inspect: %s\n", what);
    exit(1);
}

static void print(const json_t *value) {
    if (json_is_string(value))
        puts(json_string_value(value));
    else if (json_is_number(value))
        printf("%.12g\n", json_number_value(value));
    else if (json_is_boolean(value))
        puts(json_is_true(value) ? "true" : "false");
    else if (json_is_array(value))
        printf("[%zu]\n", json_array_size(value));
    else
        die("there is no such value");
}

static const json_t *follow(const json_t *value, char *path) {
    for (char *key = strtok(path, "."); key != NULL && value != NULL; key = strtok(NULL, "."))
        value = json_is_array(value) ? json_array_get(value, (size_t)atol(key))
                                     : json_object_get(value, key);
    return value;
}

static void inspect_value(const char *file, char *path) {
    struct error error = {0};
    json_t *root = NULL;
    if (json_read(&root, file, &error) != 0)
        die(error.text);
    print(follow(root, path));
    json_decref(root);
}

/* All lines as an array of objects. */
static json_t *read_lines(const char *file) {
    struct error error = {0};
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, file, &error) != 0)
        die(error.text);
    json_t *lines = json_array();
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *value = json_loads(line, 0, NULL);
        if (value == NULL)
            die(line);
        json_array_append_new(lines, value);
    }
    free(text);
    size_t count = json_array_size(lines);
    const json_t *last = json_array_get(lines, count - 1);
    if (count < 2 || (size_t)json_get_integer(last, "lines", -1) != count - 2)
        die("the last line does not tell the number of samples");
    return lines;
}

static void inspect_samples(json_t *lines, const char *region, const char *key) {
    double sum = 0;
    size_t i, count = 0;
    json_t *line;
    json_array_foreach(lines, i, line) {
        if (json_get_integer(line, "region", -1) != atol(region))
            continue;
        sum += key != NULL ? json_get_number(line, key, 0) : 0;
        count++;
    }
    printf("%.12g\n", key != NULL ? sum : (double)count);
}

int main(int argc, char **argv) {
    if (argc < 4)
        return die("usage: see the head of inspect.c");
    if (strcmp(argv[1], "value") == 0) {
        inspect_value(argv[2], argv[3]);
        return 0;
    }
    json_t *lines = read_lines(argv[2]);
    if (strcmp(argv[1], "samples") == 0)
        print(json_object_get(json_array_get(lines, 0), argv[3]));
    else if (strcmp(argv[1], "sum") == 0 && argc == 5)
        inspect_samples(lines, argv[3], argv[4]);
    else if (strcmp(argv[1], "lines") == 0)
        inspect_samples(lines, argv[3], NULL);
    else
        die("usage: see the head of inspect.c");
    json_decref(lines);
    return 0;
}
