/* SPDX-License-Identifier: Apache-2.0
 *
 * A chain of demands as a reader wants it: statements with file, line and text, and between two of
 * them how the one serves the other. The demands in between (contents of memory, arguments,
 * parameters, values) become words of that sentence.
 *
 * Chains are those of the log: of all ways to a criterion, one with the fewest demands.
 */
#include "base/str.h"
#include "cli/explain/explain.h"

#include <string.h>

static bool is(const struct explained_demand *demand, const char *kind) {
    return strcmp(demand->kind, kind) == 0;
}

/* What a demand's reason is called when its subject is a statement, or something else. */
static const struct phrase {
    const char *why, *statement, *other;
} phrases[] = {
    {"writes what is needed", "writes", ", copied to"},
    {"holds what is needed", "holds", ", which holds"},
    {"is read here", "gives a value that is read by", ", read by"},
    {"is an argument of a call", "gives a value for", ", for"},
    {"is passed to a parameter that is needed", "is passed as", ", passed as"},
    {"decides whether it is executed", "decides whether this is executed:", ""},
    {"is the statement around it", "is around", ""},
    {"gives a value that is used here", "gives a value that is used by", ", used by"},
    {"gives the value that is needed", "gives", ", used by"},
    {"calls a function that changes what is needed", "calls the function with", ""},
    {"receives what is needed", "receives", ""},
    {"sends what is needed", "sends what is received by", ""},
    {"is the buffer of a message whose contents are needed", "is the message of", ", sent by"},
    {"comes out of a macro call that stays", "comes out of the same macro call as", ""},
    {"comes out of the same macro call", "comes out of the same macro call as", ""},
    {"holds a call that cannot be moved out of it", "holds", ""},
    {"tells which function is called", "tells which function is called by", ", called by"},
};

static const char *phrase_of(const struct explained_demand *demand, bool statement) {
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (strcmp(phrases[i].why, demand->why) == 0)
            return statement ? phrases[i].statement : phrases[i].other;
    return statement ? demand->why : ",";
}

static bool is_step(const struct explained_demand *demand) {
    return demand->is_statement || is(demand, "payload");
}

static void add_word(struct str *out, const char *word) {
    if (word[0] == '\0')
        return;
    if (out->length > 0 && word[0] != ',')
        str_addc(out, ' ');
    str_add(out, word);
}

/* A demand between two steps, as words. */
static void add_between(struct str *out, const struct explained_demand *demand) {
    static const char contents[] = "the contents of ";
    const char *what = demand->what;
    if (is(demand, "value") || is(demand, "calls"))
        return;
    if (is(demand, "argument")) {
        add_word(out, "argument");
        add_word(out, demand->name);
        add_word(out, strcmp(demand->why, "is an argument of a call") == 0
                          ? "of"
                          : phrase_of(demand, false));
        return;
    }
    if (text_has_prefix(what, contents))
        what += strlen(contents);
    if (text_has_prefix(what, "memory allocated at line") && demand->file != NULL) {
        add_word(out, "memory allocated at");
        str_printf(out, " %s:%d", demand->file, demand->line);
    } else {
        add_word(out, what);
    }
    add_word(out, phrase_of(demand, false));
    if (is(demand, "contents") && demand->name[0] != '\0')
        str_printf(out, " argument %s of", demand->name);
}

/* Where the log says that a function is called because it changes something: the statement that
 * does, which was demanded directly before the calls were; -1: it was demanded earlier already. */
static int changing_statement(const struct log *log, const struct explained_demand *calls,
                              int index) {
    for (int at = index - 1; at >= 0 && at >= index - 2; at--)
        if (log->demands.items[at].is_statement && log->demands.items[at].parent == calls->parent)
            return at;
    return -1;
}

/* The next step behind `at`, and how `at` serves it; -1: `at` is the last. */
static int next_step(struct str *relation, const struct log *log, int at) {
    const struct explained_demand *demand = &log->demands.items[at];
    add_word(relation, phrase_of(demand, true));
    for (at = demand->parent; at >= 0; at = log->demands.items[at].parent) {
        if (is_step(&log->demands.items[at]))
            return at;
        if (is(&log->demands.items[at], "calls")) {
            int changing = changing_statement(log, &log->demands.items[at], at);
            if (changing >= 0)
                return changing;
        }
        add_between(relation, &log->demands.items[at]);
    }
    return -1;
}

/* The same text at the same place: a call, its value and its statement are one for a reader. */
static bool is_same_step(const struct explained_demand *one, const struct explained_demand *other) {
    return one->file == other->file && one->line == other->line &&
           strcmp(one->what, other->what) == 0 && is(one, "payload") == is(other, "payload");
}

typedef VEC(int) steps;

static void find_steps(steps *out, const struct log *log, int demand) {
    while (demand >= 0) {
        struct str ignored = {0};
        int next = next_step(&ignored, log, demand);
        str_dispose(&ignored);
        if (next < 0 || !is_same_step(&log->demands.items[demand], &log->demands.items[next]))
            vec_push(out, demand);
        demand = next;
    }
}

static void add_step(struct str *out, const struct log *log, int at, const char *indent,
                     bool is_last) {
    const struct explained_demand *demand = &log->demands.items[at];
    struct str relation = {0}, place = {0};
    str_printf(&place, "%s:%d", demand->file != NULL ? demand->file : "?", demand->line);
    str_printf(out, "%s%-18s  %s\n", indent, str_text(&place), demand->what);
    if (!is_last && next_step(&relation, log, at) >= 0)
        str_printf(out, "%s%18s    %s\n", indent, "", str_text(&relation));
    str_dispose(&relation);
    str_dispose(&place);
}

void explain_chain(struct str *out, const struct log *log, int demand, int limit,
                   const char *indent) {
    steps found = {0};
    find_steps(&found, log, demand);
    size_t hidden = limit > 0 && found.count > (size_t)limit ? found.count - (size_t)limit : 0;
    size_t before = (size_t)(limit > 1 ? limit - 1 : 1) / 2 + 1;
    for (size_t i = 0; i < found.count; i++) {
        if (hidden > 0 && i == before) {
            str_printf(out, "%s... %zu more step%s ...\n", indent, hidden, text_plural(hidden));
            i += hidden;
        }
        add_step(out, log, found.items[i], indent, i + 1 == found.count);
    }
    vec_dispose(&found);
}

static const char *last_argument(const struct log *log, int demand) {
    const char *name = NULL;
    for (int at = demand; at >= 0; at = log->demands.items[at].parent) {
        const struct explained_demand *here = &log->demands.items[at];
        bool argument = is(here, "argument") || (is(here, "contents") && here->name[0] != '\0');
        if (argument && here->parent >= 0 && log->demands.items[here->parent].parent < 0)
            name = here->name;
    }
    return name;
}

void explain_criterion(struct str *out, const struct log *log, int criterion, int demand) {
    const struct explained_demand *root = &log->demands.items[criterion];
    const char *argument = demand >= 0 ? last_argument(log, demand) : NULL;
    bool is_call = is(root, "call");
    int length = is_call ? (int)strcspn(root->what, " (") : (int)strlen(root->what);
    str_printf(out, "%.*s at %s:%d", length, root->what, root->file != NULL ? root->file : "?",
               root->line);
    if (log_is_joined(log, criterion))
        str_printf(out, ", which %s", root->why);
    else if (root->name[0] != '\0')
        str_printf(out, ", which leads to %s", root->name);
    else if (strcmp(root->why, "is an MPI call") != 0)
        str_printf(out, ", which %s", root->why);
    if (argument != NULL)
        str_printf(out, ", argument %s", argument);
}

json_t *explain_chain_json(const struct log *log, int demand) {
    json_t *chain = json_array();
    for (int at = demand; at >= 0; at = log->demands.items[at].parent) {
        const struct explained_demand *here = &log->demands.items[at];
        json_array_append_new(chain,
                              json_pack("{s:s?, s:i, s:s, s:s, s:s, s:s}", "file", here->file,
                                        "line", here->line, "what", here->what, "kind", here->kind,
                                        "name", here->name, "why", here->why));
    }
    return chain;
}
