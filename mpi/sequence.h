/* SPDX-License-Identifier: Apache-2.0
 *
 * Preprocessor loops over the parameter sequences of mpi/calls.def.
 *
 * A sequence is (role, type, name)(role, type, name)... Each loop is a pair of macros that name
 * each other, so that applying the first to the sequence eats one tuple after the other; the name
 * that is left over at the end is pasted to a macro that expands to nothing. A loop of your own:
 *   #define MY_A(role, type, name) what(name) MY_B
 *   #define MY_B(role, type, name) what(name) MY_A
 *   #define MY_A_END
 *   #define MY_B_END
 *   #define MY_LOOP(sequence) MPI_SEQUENCE_END(MY_A sequence)
 */
#ifndef MPI_SEQUENCE_H
#define MPI_SEQUENCE_H

#define MPI_SEQUENCE_END(...) MPI_SEQUENCE_PASTE(__VA_ARGS__)
#define MPI_SEQUENCE_PASTE(...) __VA_ARGS__##_END

/* `, type name, type name`: what follows the first parameters of a prototype. */
#define MPI_PARAMETERS(sequence) MPI_SEQUENCE_END(MPI_PARAMETERS_A sequence)
#define MPI_PARAMETERS_A(role, type, name) , type name MPI_PARAMETERS_B
#define MPI_PARAMETERS_B(role, type, name) , type name MPI_PARAMETERS_A
#define MPI_PARAMETERS_A_END
#define MPI_PARAMETERS_B_END

/* `type name, type name`: all of a prototype. */
#define MPI_PROTOTYPE(sequence) MPI_SEQUENCE_END(MPI_PROTOTYPE_FIRST sequence)
#define MPI_PROTOTYPE_FIRST(role, type, name) type name MPI_PARAMETERS_A
#define MPI_PROTOTYPE_FIRST_END

/* `name, name`: the arguments of a call. */
#define MPI_ARGUMENTS(sequence) MPI_SEQUENCE_END(MPI_ARGUMENTS_FIRST sequence)
#define MPI_ARGUMENTS_FIRST(role, type, name) name MPI_ARGUMENTS_A
#define MPI_ARGUMENTS_A(role, type, name) , name MPI_ARGUMENTS_B
#define MPI_ARGUMENTS_B(role, type, name) , name MPI_ARGUMENTS_A
#define MPI_ARGUMENTS_FIRST_END
#define MPI_ARGUMENTS_A_END
#define MPI_ARGUMENTS_B_END

/* `&name, &name,`: initialisers of an array of pointers to the parameters. */
#define MPI_ADDRESSES(sequence) MPI_SEQUENCE_END(MPI_ADDRESSES_A sequence)
#define MPI_ADDRESSES_A(role, type, name) &name, MPI_ADDRESSES_B
#define MPI_ADDRESSES_B(role, type, name) &name, MPI_ADDRESSES_A
#define MPI_ADDRESSES_A_END
#define MPI_ADDRESSES_B_END

/* `{MPI_ROLE_role, "type", "name"},`: initialisers of struct mpi_parameter. */
#define MPI_DESCRIPTIONS(sequence) MPI_SEQUENCE_END(MPI_DESCRIPTIONS_A sequence)
#define MPI_DESCRIPTIONS_A(role, type, name) {MPI_ROLE_##role, #type, #name}, MPI_DESCRIPTIONS_B
#define MPI_DESCRIPTIONS_B(role, type, name) {MPI_ROLE_##role, #type, #name}, MPI_DESCRIPTIONS_A
#define MPI_DESCRIPTIONS_A_END
#define MPI_DESCRIPTIONS_B_END

/* `{MPI_ROLE_role, sizeof(type), "name"},`: for code that sees mpi.h. */
#define MPI_SIZES(sequence) MPI_SEQUENCE_END(MPI_SIZES_A sequence)
#define MPI_SIZES_A(role, type, name) {MPI_ROLE_##role, sizeof(type), #name}, MPI_SIZES_B
#define MPI_SIZES_B(role, type, name) {MPI_ROLE_##role, sizeof(type), #name}, MPI_SIZES_A
#define MPI_SIZES_A_END
#define MPI_SIZES_B_END

#endif
