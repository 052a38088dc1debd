/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's MPI as programs see it, before their first line, when they are parsed and when they are
 * compiled: only what MPI declares, and names that begin with smpi or SMPI. SimGrid's own mpi.h
 * includes <unistd.h>, <getopt.h>, <stdlib.h> and more, which other MPIs' do not, and has macros of
 * its own; a program has its own functions, variables and macros under these names. So smpi.h is
 * included here with all that it would include taken for included already, and what it needs of
 * that is defined here.
 */
#ifndef BSIM_MPI_H
#define BSIM_MPI_H
#pragma GCC system_header

#include <stddef.h>

/* For who includes SimGrid's mpi.h behind this one. */
#ifndef MPI_H
#define MPI_H
#endif

/* What smpi.h includes, and where programs may have got it already. */
#ifndef _UNISTD_H
#define _UNISTD_H
#define BSIM_HIDES_UNISTD
#endif
#ifndef _SYS_TIME_H
#define _SYS_TIME_H
#define BSIM_HIDES_SYS_TIME
#endif
#pragma push_macro("SIMGRID_SMPI_FORWARD_HPP")
#pragma push_macro("SIMGRID_TYPES_H")
#pragma push_macro("SMPI_HELPERS_INTERNAL_H")
#pragma push_macro("XBT_FUNCTION_TYPE_H")
#pragma push_macro("XBT_MISC_H")
#undef SIMGRID_SMPI_FORWARD_HPP
#undef SIMGRID_TYPES_H
#undef SMPI_HELPERS_INTERNAL_H
#undef XBT_FUNCTION_TYPE_H
#undef XBT_MISC_H
#define SIMGRID_TYPES_H
#define SMPI_HELPERS_INTERNAL_H
#define XBT_FUNCTION_TYPE_H
#define XBT_MISC_H

/* What it needs of them. */
#pragma push_macro("XBT_PUBLIC")
#pragma push_macro("XBT_PUBLIC_DATA")
#pragma push_macro("SG_BEGIN_DECL")
#pragma push_macro("SG_END_DECL")
#pragma push_macro("_XBT_CONCAT")
#pragma push_macro("_XBT_STRINGIFY")
#pragma push_macro("smx_activity_t")
#pragma push_macro("xbt_main_func_t")
#undef XBT_PUBLIC
#undef XBT_PUBLIC_DATA
#undef SG_BEGIN_DECL
#undef SG_END_DECL
#undef _XBT_CONCAT
#undef _XBT_STRINGIFY
#undef smx_activity_t
#undef xbt_main_func_t
#define XBT_PUBLIC __attribute__((visibility("default")))
#define XBT_PUBLIC_DATA extern XBT_PUBLIC
#define SG_BEGIN_DECL
#define SG_END_DECL
#define _XBT_CONCAT(a, b) a##b
#define _XBT_STRINGIFY(a) #a
#define smx_activity_t void *
#define xbt_main_func_t void *

/* Its own names. */
#pragma push_macro("MPI_CALL")
#pragma push_macro("FOREACH_ERROR")
#pragma push_macro("ERROR_ENUM")
#pragma push_macro("GENERATE_ENUM")
#pragma push_macro("GENERATE_STRING")
#undef MPI_CALL
#undef FOREACH_ERROR
#undef ERROR_ENUM
#undef GENERATE_ENUM
#undef GENERATE_STRING
#define ERROR_ENUM bsim_error

/* In C++, too, what it declares for C: the rest is SimGrid's own, with headers of the library. */
#ifdef __cplusplus
extern "C" {
#pragma push_macro("__cplusplus")
#undef __cplusplus
#define BSIM_IS_CPLUSPLUS
#pragma push_macro("wchar_t") /* clang's <stddef.h> declares it, which is a word of the language   \
                               */
#undef wchar_t
#define wchar_t bsim_wchar
#endif
#include <smpi/smpi.h>
#ifdef BSIM_IS_CPLUSPLUS
#pragma pop_macro("__cplusplus")
}
#undef BSIM_IS_CPLUSPLUS
#pragma pop_macro("wchar_t")
#undef MPI_CXX_BOOL
#undef MPI_CXX_FLOAT_COMPLEX
#undef MPI_CXX_DOUBLE_COMPLEX
#undef MPI_CXX_LONG_DOUBLE_COMPLEX
#define MPI_CXX_BOOL SMPI_PREDEFINED_POINTER(MPI_Datatype, smpi_MPI_CXX_BOOL)
#define MPI_CXX_FLOAT_COMPLEX SMPI_PREDEFINED_POINTER(MPI_Datatype, smpi_MPI_CXX_FLOAT_COMPLEX)
#define MPI_CXX_DOUBLE_COMPLEX SMPI_PREDEFINED_POINTER(MPI_Datatype, smpi_MPI_CXX_DOUBLE_COMPLEX)
#define MPI_CXX_LONG_DOUBLE_COMPLEX                                                                \
    SMPI_PREDEFINED_POINTER(MPI_Datatype, smpi_MPI_CXX_LONG_DOUBLE_COMPLEX)
#endif

#pragma pop_macro("SIMGRID_SMPI_FORWARD_HPP")
#pragma pop_macro("SIMGRID_TYPES_H")
#pragma pop_macro("SMPI_HELPERS_INTERNAL_H")
#pragma pop_macro("XBT_FUNCTION_TYPE_H")
#pragma pop_macro("XBT_MISC_H")
#pragma pop_macro("XBT_PUBLIC")
#pragma pop_macro("XBT_PUBLIC_DATA")
#pragma pop_macro("SG_BEGIN_DECL")
#pragma pop_macro("SG_END_DECL")
#pragma pop_macro("_XBT_CONCAT")
#pragma pop_macro("_XBT_STRINGIFY")
#pragma pop_macro("smx_activity_t")
#pragma pop_macro("xbt_main_func_t")
#pragma pop_macro("MPI_CALL")
#pragma pop_macro("FOREACH_ERROR")
#pragma pop_macro("ERROR_ENUM")
#pragma pop_macro("GENERATE_ENUM")
#pragma pop_macro("GENERATE_STRING")
#ifdef BSIM_HIDES_UNISTD
#undef BSIM_HIDES_UNISTD
#undef _UNISTD_H
#endif
#ifdef BSIM_HIDES_SYS_TIME
#undef BSIM_HIDES_SYS_TIME
#undef _SYS_TIME_H
#endif

#endif
