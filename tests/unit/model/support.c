/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include "model/eval/eval_value.h"

#include "base/file.h"
#include "model/eval/eval.h"
#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool file_is(const char *path, const char *bytes, size_t length) {
    struct error error = {0};
    char *found = NULL;
    size_t found_length = 0;
    if (file_read(&found, &found_length, path, &error) != 0)
        return false;
    bool same = found_length == length && memcmp(found, bytes, length) == 0;
    free(found);
    return same;
}

void random_seed(struct random *random, unsigned long long seed) {
    random->state = seed * 0x9e3779b97f4a7c15ULL + 1;
    for (int i = 0; i < 16; i++)
        random_bits(random);
}

unsigned long long random_bits(struct random *random) {
    random->state ^= random->state << 13;
    random->state ^= random->state >> 7;
    random->state ^= random->state << 17;
    return random->state;
}

double random_uniform(struct random *random) {
    return (double)(random_bits(random) >> 11) / 9007199254740992.0;
}

double random_normal(struct random *random) {
    double radius = sqrt(-2 * log(1 - random_uniform(random)));
    return radius * cos(6.283185307179586 * random_uniform(random));
}

void damage(char *bytes, size_t *length, struct random *random) {
    static const char alphabet[] = "0123456789-+.eE[]{}\":,\n \0\xff"
                                   "infNaN";
    for (unsigned long long left = 1 + random_bits(random) % 8; left > 0; left--) {
        size_t at = *length > 0 ? random_bits(random) % *length : 0;
        char byte = alphabet[random_bits(random) % (sizeof alphabet - 1)];
        switch (random_bits(random) % 3) {
        case 0:
            if (*length > 0)
                bytes[at] = byte;
            break;
        case 1:
            memmove(bytes + at + 1, bytes + at, *length - at);
            bytes[at] = byte;
            ++*length;
            break;
        default:
            if (*length > 0) {
                memmove(bytes + at, bytes + at + 1, *length - at - 1);
                --*length;
            }
        }
    }
}

void each_damaged(const char *name, int count, unsigned long long seed,
                  void (*check)(const char *path, bool is_cut)) {
    char bytes[32768], copy[sizeof bytes + 8];
    struct random random;
    FILE *file = fopen(test_path(name), "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(length < sizeof bytes && (size_t)count > length);
    random_seed(&random, seed);
    for (int i = 0; i < count; i++) {
        size_t changed = i < (int)length ? (size_t)i : length;
        memcpy(copy, bytes, changed);
        if (i >= (int)length)
            damage(copy, &changed, &random);
        write_bytes(test_path("damaged"), copy, changed);
        check(test_path("damaged"), i < (int)length - 1); /* the last byte ends a line */
    }
}

const char *regions_text(void) {
    return "{ \"format\": \"mpiskel-regions\", \"version\": 3, \"bundle\": "
           "\"" TEST_BUNDLE "\",\n"
           "  \"program\": \"heat3d\", \"root\": \"/home/user/heat3d\", \"unknown\": [1, {}],\n"
           "  \"regions\": [\n"
           "    { \"index\": 0, \"id\": \"relax-3fa2c9d1\", \"function\": \"relax\",\n"
           "      \"file\": \"heat3d.c\", \"line\": 120, \"end_line\": 145, \"extra\": null,\n"
           "      \"summary\": \"3 loops\", \"features\": [\n"
           "        { \"name\": \"n1\", \"expression\": \"BSIM_TRIPS(1)\", \"meaning\": \"rows\" "
           "},\n"
           "        { \"name\": \"n2\", \"expression\": \"BSIM_TRIPS(2)\" } ] },\n"
           "    { \"index\": 1, \"id\": \"setup-00000001\", \"function\": \"main\",\n"
           "      \"file\": \"heat3d.c\", \"line\": 20, \"end_line\": 22,\n"
           "      \"summary\": \"\", \"features\": [] },\n"
           "    { \"index\": 2, \"id\": \"norm-00000002\", \"function\": \"norm\",\n"
           "      \"file\": \"norm.c\", \"line\": 7, \"end_line\": 9,\n"
           "      \"summary\": \"1 loop\", \"features\": [ { \"name\": \"n1\" } ] } ] }\n";
}

void fit_and_read(struct models *models, struct bsim_model **read, struct samples *samples,
                  const struct regions *regions) {
    char text[512] = "";
    struct error error = {0};
    const char *path = test_path("model.bsim");
    models_fit(models, samples, regions, "default");
    assert_int_equal(models_write(models, path, &error), 0);
    if (bsim_model_load(read, path, regions->bundle, text, sizeof text) != 0)
        fail_msg("%s", text);
}

/* ---- Values ---- */

/* The place of a name among those that spaces separate. */
static int place_of(const char *names, const char *name) {
    int place = 0;
    size_t length = strlen(name);
    for (const char *at = names; *at != '\0'; place++) {
        size_t here = strcspn(at, " ");
        if (here == length && strncmp(at, name, length) == 0)
            return place;
        at += here + strspn(at + here, " ");
    }
    fail_msg("no number of the run is called %s", name);
    return -1;
}

const double *vector_of(const struct bsim_value_model *value, const char *names,
                        const double *numbers) {
    static double vector[64];
    int features = bsim_value_feature_count(value), count = bsim_value_context_count(value);
    assert_true(features + count <= 64);
    for (int j = 0; j < features; j++)
        vector[j] = numbers[j];
    for (int i = 0; i < count; i++)
        vector[features + i] = numbers[place_of(names, bsim_value_context_name(value, i))];
    bsim_value_clear(value, vector);
    return vector;
}
