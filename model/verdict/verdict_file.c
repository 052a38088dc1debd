/* SPDX-License-Identifier: Apache-2.0
 *
 * verdict.json, written and read; see verdict.h. What the state is follows from the checks, so that
 * the file cannot say another thing.
 */
#include "model/verdict/verdict.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "mpiskel-verdict"
#define REPAIR "remove it, and `mpiskel fit` writes it again"

const char *verdict_hash(struct arena *arena, const char *model_file) {
    const char *hash = hash_of_file(arena, model_file);
    return hash != NULL ? hash : "";
}

/* ---- Writing ---- */

static json_t *check_to_json(const struct verdict_check *check) {
    json_t *arguments = json_loads(check->arguments, 0, NULL);
    return json_pack(
        "{s:s, s:s, s:i, s:o, s:f, s:f, s:o, s:f, s:o, s:i, s:o}", "check",
        check_kind_name(check->kind), "result", check_result_name(check->result), "ranks",
        check->ranks, "arguments", arguments != NULL ? arguments : json_array(), "percent",
        check->all.percent, "allowed_percent", check->allowed_percent, "what",
        json_any_text(check->all.what), "rank_percent", check->of_rank.percent, "rank_what",
        json_any_text(check->of_rank.what), "rank", check->rank, "why", json_any_text(check->why));
}

static json_t *blame_to_json(const struct verdict_blame *blame) {
    return json_pack("{s:o, s:o, s:i, s:o}", "file", json_any_text(blame->file), "function",
                     json_any_text(blame->function), "line", blame->line, "text",
                     json_any_text(blame->text));
}

int verdict_write(const struct verdict *verdict, const char *directory, struct error *error) {
    struct str text = {0};
    struct arena arena;
    json_t *checks = json_array(), *blame = json_array();
    for (size_t i = 0; i < verdict->checks.count; i++)
        json_array_append_new(checks, check_to_json(&verdict->checks.items[i]));
    for (size_t i = 0; i < verdict->blame.count; i++)
        json_array_append_new(blame, blame_to_json(&verdict->blame.items[i]));
    verdict_add_text(&text, verdict);
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:b, s:s, s:s, s:o, s:o}", "format", FORMAT,
                             "version", 2, "model", verdict->model, "text", str_text(&text),
                             "exact", verdict->is_exact, "why", verdict->why, "why_no_ranks",
                             verdict->why_no_ranks, "checks", checks, "blame", blame);
    arena_init(&arena);
    int result = json_write(root, path_join(&arena, directory, VERDICT_FILE), error);
    arena_dispose(&arena);
    json_decref(root);
    str_dispose(&text);
    return result;
}

/* ---- Reading ---- */

static int find_name(const char *name, const char *(*name_of)(int), int count) {
    for (int i = 0; i < count && name != NULL; i++)
        if (strcmp(name, name_of(i)) == 0)
            return i;
    return -1;
}

static const char *kind_at(int kind) {
    return check_kind_name((enum check_kind)kind);
}

static const char *result_at(int result) {
    return check_result_name((enum check_result)result);
}

static bool is_percent(double number) {
    return number >= 0 && number <= VERDICT_PERCENT_MAX;
}

static struct check_difference read_difference(const json_t *value, const char *percent,
                                               const char *what) {
    return (struct check_difference){.percent = json_get_number(value, percent, NAN),
                                     .what = json_get_text(value, what)};
}

static bool is_difference(const struct check_difference *difference) {
    return is_percent(difference->percent) && difference->what != NULL;
}

static int read_check(void *to, const json_t *value) {
    struct verdict *out = to;
    int kind = find_name(json_get_text(value, "check"), kind_at, CHECK_KINDS);
    int result = find_name(json_get_text(value, "result"), result_at, CHECK_RESULTS);
    long long ranks = json_get_integer(value, "ranks", 0);
    long long rank = json_get_integer(value, "rank", -1);
    const json_t *arguments = json_object_get(value, "arguments");
    struct verdict_check check = {.kind = (enum check_kind)kind,
                                  .result = (enum check_result)result,
                                  .ranks = (int)ranks,
                                  .all = read_difference(value, "percent", "what"),
                                  .of_rank = read_difference(value, "rank_percent", "rank_what"),
                                  .allowed_percent = json_get_number(value, "allowed_percent", NAN),
                                  .rank = (int)rank,
                                  .why = json_get_text(value, "why")};
    if (kind < 0 || result < 0 || ranks < 1 || ranks > INT_MAX || rank < 0 || rank >= ranks ||
        !json_is_array(arguments) || !is_difference(&check.all) || !is_difference(&check.of_rank) ||
        !is_percent(check.allowed_percent) || check.why == NULL)
        return -1;
    char *text = json_dumps(arguments, JSON_COMPACT);
    check.arguments = text != NULL ? text : "[]";
    verdict_add(out, &check);
    free(text);
    return 0;
}

static int read_blame(void *to, const json_t *value) {
    struct verdict *out = to;
    long long line = json_get_integer(value, "line", 0);
    struct verdict_blame blame = {.file = json_get_text(value, "file"),
                                  .function = json_get_text(value, "function"),
                                  .text = json_get_text(value, "text"),
                                  .line = (int)line};
    if (blame.file == NULL || blame.function == NULL || blame.text == NULL || line < 1 ||
        line > INT_MAX)
        return -1;
    verdict_add_blame(out, &blame);
    return 0;
}

static int read_root(struct verdict *out, const json_t *root, const char *path,
                     struct error *error) {
    const char *format = json_get_text(root, "format"), *model = json_get_text(root, "model");
    const char *why = json_get_text(root, "why"), *ranks = json_get_text(root, "why_no_ranks");
    if (format == NULL || strcmp(format, FORMAT) != 0 ||
        json_get_integer(root, "version", -1) != 2 || model == NULL || why == NULL || ranks == NULL)
        return error_set(error, "%s:1:1: error: this is no verdict, version 2; " REPAIR, path);
    out->model = arena_strdup(&out->arena, model);
    out->why = arena_strdup(&out->arena, why);
    out->why_no_ranks = arena_strdup(&out->arena, ranks);
    out->is_exact = json_is_true(json_object_get(root, "exact"));
    out->state = VERDICT_UNCHECKED;
    return json_each(root, "checks", read_check, out, path, REPAIR, error) != 0
               ? -1
               : json_each(root, "blame", read_blame, out, path, REPAIR, error);
}

int verdict_read(struct verdict *out, const char *directory, struct error *error) {
    json_t *root = NULL;
    *out = (struct verdict){.why = "", .why_no_ranks = "", .model = ""};
    arena_init(&out->arena);
    const char *path = path_join(&out->arena, directory, VERDICT_FILE);
    if (!file_exists(path))
        return 0;
    int result = json_read(&root, path, error);
    if (result == 0)
        result = read_root(out, root, path, error);
    json_decref(root);
    const char *model = path_join(&out->arena, directory, "model.bsim");
    if (result == 0 && strcmp(out->model, verdict_hash(&out->arena, model)) != 0)
        out->state = VERDICT_CHANGED;
    if (result != 0)
        verdict_dispose(out);
    return result;
}
