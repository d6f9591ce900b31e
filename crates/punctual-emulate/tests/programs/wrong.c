// Calls that are wrong, have no time left or are continued: they say the same with a tracer as without.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L
typedef struct timespec ts;

static int pipe_ends[2], epoll_fd, timer_fd;
static uint32_t word;
static pthread_t main_thread;

static long now(int clock) {
    ts t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000 * MS + t.tv_nsec;
}
static ts span(long ns) { return (ts){ns / (1000 * MS), ns % (1000 * MS)}; }
static void handler(int s) { (void)s; }
static void *helper(void *none) {
    (void)none;
    ts t = span(30 * MS);
    nanosleep(&t, NULL);
    pthread_kill(main_thread, SIGUSR1);
    return NULL;
}

// Sleeps as programs do that go on after a signal: with the remainder they were told.
static void go_on(void) {
    ts t = span(150 * MS), rem;
    long begin = now(CLOCK_MONOTONIC);
    int times = 0;
    pthread_t thread[4];
    // They leave the signal to this thread.
    for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, helper, NULL);
    while (syscall(SYS_nanosleep, &t, &rem)) { t = rem; times++; }
    printf("remainders: interrupted %d early %d\n", times > 0, now(CLOCK_MONOTONIC) - begin < 150 * MS);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
}

static void wrong(void) {
    ts bad = {0, 1000 * MS}, negative = {-1, 0}, zero = {0, 0}, past = {1, 0};
    struct itimerspec none = {{0, 0}, {0, 0}}, before;
    struct pollfd p = {pipe_ends[0], POLLIN, 0};
    struct epoll_event e;
#define TRY(call) do { errno = 0; long r = call; printf("%s: %ld %d\n", #call, r, r < 0 ? errno : 0); } while (0)
    TRY(syscall(SYS_nanosleep, &bad, NULL));
    TRY(syscall(SYS_nanosleep, &negative, NULL));
    TRY(syscall(SYS_nanosleep, (void *)8, NULL));
    TRY(syscall(SYS_nanosleep, NULL, NULL));
    TRY(syscall(SYS_nanosleep, &zero, NULL));
    TRY(syscall(SYS_clock_nanosleep, 99, 0, &zero, NULL));
    TRY(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL));
    TRY(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &bad, NULL, 0));
    TRY(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &past, NULL, 0));
    TRY(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &zero, NULL, 0));
    TRY(syscall(SYS_futex, 2, FUTEX_WAIT, 0, &past, NULL, 0));
    TRY(syscall(SYS_poll, &p, 1, 0));
    TRY(syscall(SYS_poll, (void *)8, 1, 10));
    TRY(syscall(SYS_poll, NULL, 0, 10));
    TRY(syscall(SYS_ppoll, &p, 1, &bad, NULL, 8));
    TRY(syscall(SYS_ppoll, &p, 1, &past, NULL, 7));
    TRY(syscall(SYS_select, 0, NULL, NULL, NULL, &zero));
    TRY(syscall(SYS_select, -1, NULL, NULL, NULL, &past));
    TRY(syscall(SYS_epoll_wait, 12345, &e, 1, 10));
    TRY(syscall(SYS_epoll_wait, epoll_fd, &e, 0, 10));
    TRY(syscall(SYS_epoll_wait, epoll_fd, &e, 1, 0));
    TRY(syscall(SYS_semtimedop, 123456789, NULL, 0, &past));
    TRY(syscall(SYS_timerfd_settime, 12345, 0, &none, NULL));
    TRY(syscall(SYS_timerfd_settime, timer_fd, 0, &none, &before));
    TRY(syscall(SYS_timer_settime, (timer_t)99, 0, &none, NULL));
    TRY(syscall(SYS_setitimer, 7, &none, NULL));
    TRY(syscall(SYS_setitimer, ITIMER_REAL, (void *)8, NULL));
    TRY(syscall(SYS_mq_timedreceive, 12345, &e, 8, NULL, &past));
}

// Registers of a call stay as they were, but for those that the kernel itself changes.
static void registers(void) {
    ts t = span(2 * MS);
    uint64_t before[8] = {35, (uintptr_t)&t, 0, 3, 4, 5, 6, 7}, after[8];
    register uint64_t r10 __asm__("r10") = before[4], r8 __asm__("r8") = before[5], r9 __asm__("r9") = before[6], rbx __asm__("rbx") = before[7];
    uint64_t rax = before[0], rdi = before[1], rsi = before[2], rdx = before[3];
    __asm__ volatile("syscall" : "+a"(rax), "+D"(rdi), "+S"(rsi), "+d"(rdx), "+r"(r10), "+r"(r8), "+r"(r9), "+r"(rbx) : : "rcx", "r11", "memory", "cc");
    uint64_t got[8] = {rax, rdi, rsi, rdx, r10, r8, r9, rbx};
    memcpy(after, got, sizeof got);
    before[0] = 0;
    printf("registers: %s\n", memcmp(before, after, sizeof before) ? "changed" : "kept");
}

int main(void) {
    main_thread = pthread_self();
    if (pipe(pipe_ends)) return 1;
    epoll_fd = epoll_create1(0);
    timer_fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct sigaction plain = {.sa_handler = handler};
    sigaction(SIGUSR1, &plain, NULL);
    go_on();
    wrong();
    registers();
    return 0;
}
