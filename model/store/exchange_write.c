/* SPDX-License-Identifier: Apache-2.0
 *
 * Store -> machine file; see exchange.h. One JSON object a line, told apart by its only member:
 * the regions of the bundle, then each run followed by its samples, then the models, then
 * network and noise.
 */
#include "model/store/exchange.h"

#include "base/file.h"
#include "base/str.h"
#include "model/samples/samples_json.h"
#include "model/store/exchange_models.h"
#include "model/store/query.h"
#include "model/store/store_networks.h"
#include "model/store/store_noises.h"

#include <stdlib.h>

struct exchange_write_writer {
    struct str text;
    long long lines; /* behind the first */
    struct store *store;
    const struct regions *regions;
    const char *machine;
    const struct stored_network *network; /* NULL: there is none */
    const struct stored_noise *noise;     /* likewise */
    struct error *error;
};

/* Takes `value`. */
static void write_line(struct exchange_write_writer *writer, const char *kind, json_t *value) {
    json_t *line = json_object();
    json_object_set_new(line, kind, value);
    char *text = json_dumps(line, JSON_COMPACT | JSON_PRESERVE_ORDER);
    str_add(&writer->text, text);
    str_addc(&writer->text, '\n');
    writer->lines++;
    free(text);
    json_decref(line);
}

static void write_header(struct exchange_write_writer *writer) {
    const struct regions *regions = writer->regions;
    json_t *header =
        json_pack("{s:s, s:i, s:s, s:s, s:s}", "format", "mpiskel-machine", "version", 1, "machine",
                  writer->machine, "bundle", regions->bundle, "program", regions->program);
    char *text = json_dumps(header, JSON_COMPACT | JSON_PRESERVE_ORDER);
    str_printf(&writer->text, "%s\n", text);
    free(text);
    json_decref(header);
}

static int write_samples(struct exchange_write_writer *writer, const struct store_row *row) {
    struct samples samples;
    if (store_row_samples(&samples, writer->store, row->id, writer->regions, writer->error) != 0)
        return -1;
    write_line(writer, "run", run_to_json(&row->run));
    for (size_t i = 0; i < samples.count; i++)
        write_line(writer, "sample", sample_to_json(&samples.items[i]));
    samples_dispose(&samples);
    return 0;
}

static int write_runs(struct exchange_write_writer *writer, struct arena *arena) {
    struct store_row *rows = NULL;
    size_t count = 0;
    if (store_rows(&rows, &count, arena, writer->store, writer->regions->bundle, writer->machine,
                   writer->error) != 0)
        return -1;
    if (count == 0 && writer->network == NULL && writer->noise == NULL)
        return error_set(writer->error,
                         "the store has no run of this bundle on machine '%s'; `mpiskel machines "
                         "list` shows what there is",
                         writer->machine);
    for (size_t i = 0; i < count; i++)
        if (write_samples(writer, &rows[i]) != 0)
            return -1;
    return 0;
}

static int write_models_of(struct exchange_write_writer *writer, enum statistic statistic) {
    struct models models;
    if (store_models_of(&models, writer->store, writer->regions, writer->machine, statistic,
                        writer->error) != 0)
        return -1;
    for (int i = 0; i < models.count; i++)
        if (models.items[i].fitted)
            write_line(writer, "model",
                       model_to_json(&models.items[i], &writer->regions->items[i], statistic));
    models_dispose(&models);
    return 0;
}

/* In the order in which they were fitted. */
static int write_models(struct exchange_write_writer *writer) {
    enum statistic found[STATISTIC_COUNT];
    int count = 0;
    if (store_statistics(found, &count, writer->store, writer->regions->bundle, writer->machine,
                         writer->error) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        if (write_models_of(writer, found[i]) != 0)
            return -1;
    return 0;
}

int machine_export(const char *path, struct store *store, const struct regions *regions,
                   const char *machine, struct error *error) {
    struct exchange_write_writer writer = {
        .store = store, .regions = regions, .machine = machine, .error = error};
    struct arena arena;
    arena_init(&arena);
    write_header(&writer);
    for (int i = 0; i < regions->count; i++)
        write_line(&writer, "region", region_to_json(&regions->items[i]));
    int result = store_read_network(&writer.network, &arena, store, machine, error);
    if (result == 0)
        result = store_read_noise(&writer.noise, &arena, store, machine, error);
    if (result == 0)
        result = write_runs(&writer, &arena);
    if (result == 0)
        result = write_models(&writer);
    if (result == 0 && writer.network != NULL)
        write_line(&writer, "network", network_to_json(writer.network));
    if (result == 0 && writer.noise != NULL)
        write_line(&writer, "noise", noise_to_json(writer.noise));
    if (result == 0) {
        str_printf(&writer.text, "{\"end\":true,\"lines\":%lld}\n", writer.lines);
        result = file_write(path, writer.text.text, writer.text.length, error);
    }
    str_dispose(&writer.text);
    arena_dispose(&arena);
    return result;
}
