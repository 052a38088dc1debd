/* SPDX-License-Identifier: Apache-2.0
 *
 * Is the mutant with this number switched on? MUTANT in the environment says which one is.
 * MUTANT_SEEN names a file with a byte for each mutant. The byte of a mutant whose place is
 * executed becomes REACHED, in whatever process. Where it was WANTED, the process splits there: a
 * child goes on with the mutant switched on, prints into MUTANT_OUT.NUMBER.said, and what it made
 * as MUTANT_OUT is renamed to MUTANT_OUT.NUMBER; then the process itself goes on. So one load of a
 * program serves many mutants. This text is included before all others of a file, so it includes
 * nothing: what it needs it declares.
 */
#ifndef MUTANT_H
#define MUTANT_H
#define MUTANTS_MAX 65536

/* Of which all ranks of a simulation share one copy (runtime/smpi/runtime.h): the engine refuses
 * programs with other variables. */
#define MUTANT_SHARED __attribute__((weak, section(".bsim_common")))
#define MUTANT_CPU_S 5 /* thirty times what the analysis of a case takes */
#define MUTANT_WALL_S 600
enum { MUTANT_REACHED = 1, MUTANT_WANTED = 2, MUTANT_ENDED = 3, MUTANT_FAILED = 5 };

extern char *getenv(const char *);
extern long syscall(long, ...);
extern int snprintf(char *, __SIZE_TYPE__, const char *, ...);
extern int fork(void);
extern int system(const char *);
extern int setenv(const char *, const char *, int);
extern int unsetenv(const char *);

MUTANT_SHARED int mutant__active;
MUTANT_SHARED unsigned char mutant__unseen[MUTANTS_MAX];
MUTANT_SHARED unsigned char *mutant__seen;

__attribute__((weak)) unsigned char *mutant__begin(void) {
    const char *text = getenv("MUTANT"), *path = getenv("MUTANT_SEEN");
    int number = 0;
    for (; text && *text; text++)
        number = 10 * number + (*text - '0');
    mutant__active = number;
    long file = path ? syscall(2, path, 2)
                     : -1; /* open, to read and write; of x86-64, as all numbers here */
    long memory = file >= 0 ? syscall(9, 0L, (long)MUTANTS_MAX, 3L, 1L, file, 0L) : -1; /* mmap */
    mutant__seen = memory > 0 ? (unsigned char *)memory : mutant__unseen;
    return mutant__seen;
}

__attribute__((weak)) void mutant__print_into(const char *out, int number, const char *end,
                                              long descriptor) {
    char path[4096];
    snprintf(path, sizeof path, "%s.%d.%s", out, number, end);
    syscall(33, syscall(2, path, 01101L, 0666L),
            descriptor); /* dup2; open: write, create, truncate */
}

/* In the child, where nothing is noted from here on, and no mutant splits again; nor in processes
 * of its own. */
__attribute__((weak)) void mutant__go_on_with(int number, const char *out) {
    long limit[2] = {MUTANT_CPU_S, MUTANT_CPU_S};
    char text[16];
    mutant__print_into(out, number, "out", 1);
    mutant__print_into(out, number, "err", 2);
    syscall(160, 0L, limit);          /* setrlimit of RLIMIT_CPU */
    syscall(37, (long)MUTANT_WALL_S); /* alarm */
    snprintf(text, sizeof text, "%d", number);
    setenv("MUTANT", text, 1);
    unsetenv("MUTANT_SEEN");
    mutant__seen = mutant__unseen;
    mutant__active = number;
}

__attribute__((weak)) void mutant__if_there(const char *path, const char *end, const char *format) {
    char tested[2112], command[8192];
    snprintf(tested, sizeof tested, "%s%s", path, end);
    snprintf(command, sizeof command, format, path, path, path);
    if (syscall(21, tested, 0L) == 0) /* access */
        system(command);
}

/* The child takes away MUTANT_OUT, and what has that name with .tmpPID until all of it is written.
 */
__attribute__((weak)) void mutant__split(int number, const char *out) {
    const char *keep = "cp -a '%s' '%s.kept'", *restore = "rm -rf '%s'; mv '%s.kept' '%s'";
    int child, status = 0;
    char path[4096], begun[2048];
    snprintf(begun, sizeof begun, "%s.tmp%ld", out, syscall(39)); /* getpid */
    mutant__if_there(begun, "", keep);
    mutant__if_there(out, "", keep);
    child = fork();
    if (child == 0) {
        mutant__go_on_with(number, out);
        return;
    }
    syscall(61, (long)child, &status, 0L, 0L); /* wait4 */
    snprintf(path, sizeof path, "%s.%d", out, number);
    syscall(82, out, path); /* rename */
    mutant__if_there(begun, ".kept", restore);
    mutant__if_there(out, ".kept", restore);
    mutant__seen[number] = status == 0 ? MUTANT_ENDED : MUTANT_FAILED;
}

__attribute__((weak)) void mutant__reach(int number) {
    const char *out = getenv("MUTANT_OUT");
    int is_wanted = out && mutant__seen[number] == MUTANT_WANTED;
    mutant__seen[number] |= MUTANT_REACHED;
    if (is_wanted && mutant__seen != mutant__unseen)
        mutant__split(number, out);
}

static inline __attribute__((unused)) int MUTANT(int number) {
    if ((mutant__seen ? mutant__seen : mutant__begin())[number] % 2 == 0)
        mutant__reach(number);
    return number == mutant__active;
}
#endif
