/* SPDX-License-Identifier: Apache-2.0
 *
 * The signature of regions, as text and as JSON.
 */
#ifndef CLI_SIGNATURE_SIGNATURE_PRINT_H
#define CLI_SIGNATURE_SIGNATURE_PRINT_H

#include "model/samples/region.h"
#include "model/signature/signature.h"

void signature_print_text(const struct signature_region *region, const struct region *described);

/* The caller's. */
json_t *signature_print_json(const struct signature_region *region, const struct region *described);

#endif
