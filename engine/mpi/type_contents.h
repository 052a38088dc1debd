/* SPDX-License-Identifier: Apache-2.0
 *
 * What a datatype was made of, as MPI_Type_get_contents gives it back: arrays are copied, datatypes
 * get a user more.
 */
#pragma once

#include "engine/objects/datatype.h"

void contents_note(struct SMPI_Datatype *type, int integer_count, const int *integers,
                   int address_count, const MPI_Aint *addresses, int datatype_count,
                   const MPI_Datatype *datatypes);
/* The number of blocks, their lengths, and their offsets, which are integers or addresses. */
void contents_note_blocks(struct SMPI_Datatype *type, int count, const int *lengths,
                          const int *offsets, const MPI_Aint *addresses, int datatype_count,
                          const MPI_Datatype *datatypes);
void contents_note_block(struct SMPI_Datatype *type, int count, int length, const int *offsets,
                         const MPI_Aint *addresses, const MPI_Datatype *old);
void contents_note_part(struct SMPI_Datatype *type, int dimensions, const int *sizes,
                        const int *part_sizes, const int *starts, int order,
                        const MPI_Datatype *old);
