/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers among a call's arguments that are MPI's constants, by name: each MPI has other values.
 */
#include "runtime/calls/call.h"

#include <string.h>

struct constant_name {
    const char *label; /* of the parameter */
    long long value;
    const char *name;
    bool is_flag; /* of which a parameter may have several */
};

static const struct constant_name constants[] = {
    {"color", MPI_UNDEFINED, "undefined", false},
    {"split_type", MPI_UNDEFINED, "undefined", false},
    {"split_type", MPI_COMM_TYPE_SHARED, "shared", false},
    {"lock_type", MPI_LOCK_EXCLUSIVE, "exclusive", false},
    {"lock_type", MPI_LOCK_SHARED, "shared", false},
    {"whence", MPI_SEEK_SET, "set", false},
    {"whence", MPI_SEEK_CUR, "current", false},
    {"whence", MPI_SEEK_END, "end", false},
    {"required", MPI_THREAD_SINGLE, "single", false},
    {"required", MPI_THREAD_FUNNELED, "funneled", false},
    {"required", MPI_THREAD_SERIALIZED, "serialized", false},
    {"required", MPI_THREAD_MULTIPLE, "multiple", false},
    {"assertion", MPI_MODE_NOCHECK, "nocheck", true},
    {"assertion", MPI_MODE_NOSTORE, "nostore", true},
    {"assertion", MPI_MODE_NOPUT, "noput", true},
    {"assertion", MPI_MODE_NOPRECEDE, "noprecede", true},
    {"assertion", MPI_MODE_NOSUCCEED, "nosucceed", true},
    {"amode", MPI_MODE_RDONLY, "rdonly", true},
    {"amode", MPI_MODE_RDWR, "rdwr", true},
    {"amode", MPI_MODE_WRONLY, "wronly", true},
    {"amode", MPI_MODE_CREATE, "create", true},
    {"amode", MPI_MODE_EXCL, "excl", true},
    {"amode", MPI_MODE_DELETE_ON_CLOSE, "delete_on_close", true},
    {"amode", MPI_MODE_UNIQUE_OPEN, "unique_open", true},
    {"amode", MPI_MODE_SEQUENTIAL, "sequential", true},
    {"amode", MPI_MODE_APPEND, "append", true},
};

static bool has_flag(const struct constant_name *constant, long long value) {
    return constant->is_flag && (value & constant->value) != 0;
}

/* What no constant names is a number. */
void bsim__text_value(struct bsim__record *record, const char *label, long long value) {
    const char *separator = "";
    bsim__text(record, " %s=", label);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        const struct constant_name *constant = &constants[i];
        if (strcmp(constant->label, label) != 0 ||
            (value != constant->value && !has_flag(constant, value)))
            continue;
        bsim__text(record, "%s%s", separator, constant->name);
        separator = "|";
        value = constant->is_flag ? value & ~constant->value : 0;
        if (value == 0)
            return;
    }
    bsim__text(record, "%s%lld", separator, value);
}
