/* SPDX-License-Identifier: Apache-2.0 */
#include "base/xml.h"

void xml_escape(struct str *out, const char *text) {
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            str_add(out, "&amp;");
            break;
        case '<':
            str_add(out, "&lt;");
            break;
        case '>':
            str_add(out, "&gt;");
            break;
        case '"':
            str_add(out, "&quot;");
            break;
        default:
            str_addc(out, (unsigned char)*text < ' ' ? '?' : *text);
        }
}
