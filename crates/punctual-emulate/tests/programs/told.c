// Calls that say what is left of their time: what they say lies within what was asked and what has passed, flags and
// registers stay as they were, and a time that cannot be written to is left alone. The same with a tracer as without.
// With "storm", while another thread sends signals. With "taken", the time cannot be written to any more when the wait
// is over.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L
// Carry, parity, adjust, zero, sign and overflow.
#define ARITHMETIC 0x8d5UL

typedef struct timespec ts;
typedef struct { uint64_t number, args[6]; } call;

static int ready, quiet;

static long now(void) {
    ts t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 * MS + t.tv_nsec;
}

// Makes a call with these flags set. Says what it returned, and whether anything but rcx and r11 changed.
static long make(call c, uint64_t flags, int *kept) {
    uint64_t behind, rax = c.number, rdi = c.args[0], rsi = c.args[1], rdx = c.args[2];
    register uint64_t r10 __asm__("r10") = c.args[3], r8 __asm__("r8") = c.args[4], r9 __asm__("r9") = c.args[5];
    // Below the stack pointer the compiler may have something.
    __asm__ volatile("lea -256(%%rsp), %%rsp\n\t"
                     "pushfq\n\tandq %[not], (%%rsp)\n\torq %[flags], (%%rsp)\n\tpopfq\n\t"
                     "syscall\n\t"
                     "pushfq\n\tpopq %[behind]\n\t"
                     "lea 256(%%rsp), %%rsp"
                     : "+a"(rax), "+D"(rdi), "+S"(rsi), "+d"(rdx), "+r"(r10), "+r"(r8), "+r"(r9), [behind] "=b"(behind)
                     : [not] "i"((int)~ARITHMETIC), [flags] "r"(flags)
                     : "rcx", "r11", "memory", "cc");
    uint64_t after[6] = {rdi, rsi, rdx, r10, r8, r9};
    *kept = !memcmp(after, c.args, sizeof after) && (behind & ARITHMETIC) == flags;
    return (long)rax;
}

static call with(int which, int fd, struct pollfd *p, fd_set *s, void *time) {
    *p = (struct pollfd){fd, POLLIN, 0};
    FD_ZERO(s);
    FD_SET(fd, s);
    switch (which) {
    case 0: return (call){SYS_ppoll, {(uintptr_t)p, 1, (uintptr_t)time, 0, 8, 9}};
    case 1: return (call){SYS_select, {fd + 1, (uintptr_t)s, 0, 0, (uintptr_t)time, 9}};
    default: return (call){SYS_pselect6, {fd + 1, (uintptr_t)s, 0, 0, (uintptr_t)time, 0}};
    }
}

// A call's time is in seconds and this fraction.
static long unit(int which) { return which == 1 ? 1000 : 1; }

// Makes a call that finds its event there. Says whether it fits.
static int check(int which, long length, uint64_t flags, long *r, int *kept) {
    struct pollfd p;
    fd_set s;
    long time[2] = {length / (1000 * MS), length % (1000 * MS) / unit(which)}, begin = now();
    *r = make(with(which, ready, &p, &s, time), flags, kept);
    long passed = now() - begin, left = time[0] * 1000 * MS + time[1] * unit(which);
    // Fractions that do not fit into the unit are cut off.
    return left <= length && left >= length - passed - unit(which) && time[1] < 1000 * MS / unit(which);
}

static pthread_t main_thread;
static volatile int is_over;
static void handler(int s) { (void)s; }
static void *storm(void *none) {
    (void)none;
    while (!is_over) {
        pthread_kill(main_thread, SIGUSR1);
        // Under a tracer a sleep would be long.
        for (long until = now() + MS / 20; now() < until;) {}
    }
    return NULL;
}

static void in_a_storm(void) {
    struct sigaction plain = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &plain, NULL);
    main_thread = pthread_self();
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_create(&thread, NULL, storm, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    int wrong[3] = {0, 0, 0};
    for (int i = 0; i < 3000; i++) {
        long r;
        int kept, fits = check(i % 3, 700 * MS, ARITHMETIC & -(i % 2), &r, &kept);
        wrong[0] += r != 1;
        wrong[1] += !kept;
        wrong[2] += !fits;
    }
    is_over = 1;
    pthread_join(thread, NULL);
    printf("storm: %d not returned, %d changed, %d do not fit\n", wrong[0], wrong[1], wrong[2]);
}

static int first[2];
static long *timeout;
static void *take(void *none) {
    (void)none;
    ts t = {0, 30 * MS};
    nanosleep(&t, NULL);
    mprotect(timeout, 4096, PROT_READ);
    if (write(first[1], "x", 1) != 1) is_over = 2;
    return NULL;
}

static void taken(int which, uint64_t flags) {
    struct pollfd p;
    fd_set s;
    mprotect(timeout, 4096, PROT_READ | PROT_WRITE);
    timeout[0] = 10;
    timeout[1] = 5;
    pthread_t thread;
    pthread_create(&thread, NULL, take, NULL);
    int kept;
    long r = make(with(which, ready, &p, &s, timeout), flags, &kept);
    pthread_join(thread, NULL);
    char x;
    if (read(ready, &x, 1) != 1) is_over = 2;
    printf("taken: %ld, %s, %ld %ld, over %d\n", r, kept ? "kept" : "changed", timeout[0], timeout[1], is_over);
}

int main(int argc, char **argv) {
    static const char *names[] = {"ppoll", "select", "pselect6"};
    static const uint64_t flags[] = {0, ARITHMETIC, 0x801, 0x44, 0x800, 0x91};
    static const long lengths[] = {3 * MS, 999 * MS, 1000 * MS, 2345678 * MS / 1000, 3600000 * MS};
    int second[2];
    timeout = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pipe(first) || pipe(second) || write(first[1], "x", 1) != 1) return 1;
    ready = first[0];
    quiet = second[0];
    if (argc > 1 && !strcmp(argv[1], "storm")) {
        in_a_storm();
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "taken")) {
        char x;
        if (read(ready, &x, 1) != 1) return 1;
        for (int i = 0; i < 6; i++) taken(i % 3, flags[i]);
        return 0;
    }
    struct pollfd p;
    fd_set s;
    long *read_only = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    read_only[0] = 0;
    read_only[1] = 1000;
    mprotect(read_only, 4096, PROT_READ);
    for (int which = 0; which < 3; which++) {
        for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
            for (unsigned l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                long r;
                int kept, fits = check(which, lengths[l], flags[i], &r, &kept);
                printf("%s of %ld ms, flags %lx: %ld, %s, %s\n", names[which], lengths[l] / MS, flags[i], r,
                       kept ? "kept" : "changed", fits ? "fits" : "does not fit");
            }
            long time[2] = {0, 2 * MS / unit(which)};
            int kept;
            long r = make(with(which, quiet, &p, &s, time), flags[i], &kept);
            printf("%s without an event: %ld, %s, left %ld %ld\n", names[which], r, kept ? "kept" : "changed", time[0], time[1]);
            r = make(with(which, ready, &p, &s, read_only), flags[i], &kept);
            printf("%s that cannot write: %ld, %s, %ld\n", names[which], r, kept ? "kept" : "changed", read_only[1]);
        }
    }
    return 0;
}
