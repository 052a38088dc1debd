/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's function by the name that its C++ compiler gives it. It takes and returns references to
 * std::string, which in libstdc++ begins with the address and the length of its text; a const one
 * need have no more behind them.
 */
#include "runtime/simgrid/config_text.h"

#include <stddef.h>
#include <string.h>

struct cxx_string {
    const char *text;
    size_t length;
    char room[16];
};

const struct cxx_string *bsim__simgrid_setting(const struct cxx_string *name) __asm__(
    "_ZN7simgrid6config9get_valueINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEERKT_RKS7_")
    __attribute__((weak));

const char *config_text(const char *setting) {
    struct cxx_string name = {.text = setting, .length = strlen(setting)};
    return bsim__simgrid_setting != NULL ? bsim__simgrid_setting(&name)->text : NULL;
}
