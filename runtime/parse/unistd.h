/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's mpi.h includes <unistd.h>, which other MPIs' do not: a program that does not include it
 * may have functions of its own under these names, such as `static int link(...)`. So they are not
 * declared when SimGrid asks, but when the program does. BSIM_ASKS: SimGrid's mpi.h is being
 * included; what bsim.h is forced into before that is, too.
 */
#pragma GCC system_header
#if (defined(BSIM_ASKS) || defined(BSIM_SKELETON) || defined(BSIM_ORIGINAL)) &&                    \
    !defined(BSIM_HAS_MPI) && !defined(_UNISTD_H)
#define BSIM_HIDES_UNISTD
#pragma push_macro("access")
#pragma push_macro("alarm")
#pragma push_macro("brk")
#pragma push_macro("chown")
#pragma push_macro("crypt")
#pragma push_macro("daemon")
#pragma push_macro("dup")
#pragma push_macro("encrypt")
#pragma push_macro("link")
#pragma push_macro("nice")
#pragma push_macro("pause")
#pragma push_macro("pipe")
#pragma push_macro("swab")
#pragma push_macro("sync")
#pragma push_macro("truncate")
#pragma push_macro("unlink")
#define access bsim_libc_access
#define alarm bsim_libc_alarm
#define brk bsim_libc_brk
#define chown bsim_libc_chown
#define crypt bsim_libc_crypt
#define daemon bsim_libc_daemon
#define dup bsim_libc_dup
#define encrypt bsim_libc_encrypt
#define link bsim_libc_link
#define nice bsim_libc_nice
#define pause bsim_libc_pause
#define pipe bsim_libc_pipe
#define swab bsim_libc_swab
#define sync bsim_libc_sync
#define truncate bsim_libc_truncate
#define unlink bsim_libc_unlink
#include_next <unistd.h>
#pragma pop_macro("access")
#pragma pop_macro("alarm")
#pragma pop_macro("brk")
#pragma pop_macro("chown")
#pragma pop_macro("crypt")
#pragma pop_macro("daemon")
#pragma pop_macro("dup")
#pragma pop_macro("encrypt")
#pragma pop_macro("link")
#pragma pop_macro("nice")
#pragma pop_macro("pause")
#pragma pop_macro("pipe")
#pragma pop_macro("swab")
#pragma pop_macro("sync")
#pragma pop_macro("truncate")
#pragma pop_macro("unlink")
#else
#include_next <unistd.h>
#if defined(BSIM_HIDES_UNISTD) && defined(BSIM_HAS_MPI)
#undef BSIM_HIDES_UNISTD
int access(const char *, int);
unsigned alarm(unsigned);
int brk(void *);
int chown(const char *, uid_t, gid_t);
char *crypt(const char *, const char *);
int daemon(int, int);
int dup(int);
void encrypt(char *, int);
int link(const char *, const char *);
int nice(int);
int pause(void);
int pipe(int *);
void swab(const void *__restrict, void *__restrict, ssize_t);
void sync(void);
int truncate(const char *, off_t);
int unlink(const char *);
#endif
#endif
