// Things that make a tracer's life hard. Each says what came of it, the same with a tracer as without.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L
static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 * MS + t.tv_nsec;
}
static int nap(long ns) {
    struct timespec t = {ns / (1000 * MS), ns % (1000 * MS)}, rem;
    long begin = now();
    while (nanosleep(&t, &rem)) t = rem;
    return now() - begin >= ns;
}
static volatile long alarms;
static void on_alarm(int s) { (void)s; alarms++; }

// Alarms every 200 µs while four kinds of waits go on.
static void storm(void) {
    struct sigaction a = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &a, NULL);
    struct itimerval t = {{0, 200}, {0, 200}}, none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &t, NULL);
    int good = 1, interrupted = 0, timed_out = 0;
    for (int i = 0; i < 10; i++) good &= nap(10 * MS);
    int fd = epoll_create1(0);
    struct epoll_event e;
    for (int i = 0; i < 50; i++) {
        int r = i % 2 ? epoll_wait(fd, &e, 1, 5) : poll(NULL, 0, 5);
        if (r == 0) timed_out++;
        else if (errno == EINTR) interrupted++;
        else good = 0;
    }
    setitimer(ITIMER_REAL, &none, NULL);
    printf("storm: good %d all %d alarms %d\n", good, interrupted + timed_out, alarms > 0);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, all_here = PTHREAD_COND_INITIALIZER;
static int count, early;
static void *waiter(void *none) {
    (void)none;
    for (int i = 0; i < 3; i++) if (!nap(5 * MS)) __atomic_fetch_add(&early, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&lock);
    count++;
    pthread_cond_signal(&all_here);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 60;
    // Woken when all are here: a wake-up that is lost would take a minute.
    while (count > 0 && pthread_cond_timedwait(&cond, &lock, &t) == 0) {}
    int lost = count > 0;
    pthread_mutex_unlock(&lock);
    return (void *)(intptr_t)lost;
}
static void threads(int n) {
    pthread_t *all = calloc(n, sizeof *all);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    int made = 0;
    for (int i = 0; i < n; i++) made += !pthread_create(&all[i], &small, waiter, NULL);
    pthread_mutex_lock(&lock);
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 100;
    while (count < made) if (pthread_cond_timedwait(&all_here, &lock, &t)) break;
    int came = count;
    count = 0;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
    long lost = 0;
    for (int i = 0; i < made; i++) { void *r; pthread_join(all[i], &r); lost += (intptr_t)r; }
    printf("threads: made %d came %d lost %ld early %d\n", made, came, lost, early);
}

// Children that vfork, fork, spawn and clone make, each of which waits and exits with a code of its own.
extern char **environ;
static int wait_for(pid_t p) { int s; while (waitpid(p, &s, __WALL) < 0) if (errno != EINTR) return -1; return WIFEXITED(s) ? WEXITSTATUS(s) : 1000 + WTERMSIG(s); }
static int cloned(void *v) { struct timespec t = {0, MS}; syscall(SYS_nanosleep, &t, NULL); _exit((int)(intptr_t)v); }
static void children(int n) {
    char *words[] = {"sleep", "0.001", NULL};
    volatile int good = 0, want;
    for (volatile int i = 0; i < n; i++) {
        pid_t p;
        want = i % 100;
        char *volatile stack = NULL;
        switch (i % 5) {
        case 0: if (!(p = fork())) { nap(MS); _exit(want); } break;
        case 1: if (!(p = vfork())) { struct timespec t = {0, MS}; syscall(SYS_nanosleep, &t, NULL); _exit(want); } break;
        case 2: if (posix_spawn(&p, "/bin/sleep", NULL, NULL, words, environ)) p = -1; want = 0; break;
        case 3: stack = malloc(65536); p = clone(cloned, stack + 65536, CLONE_VM | SIGCHLD, (void *)(intptr_t)want); break;
        default: stack = malloc(65536); p = clone(cloned, stack + 65536, CLONE_UNTRACED | SIGCHLD, (void *)(intptr_t)want); break;
        }
        good += wait_for(p) == want;
        free(stack);
    }
    printf("children: %d of %d\n", good, n);
}
static void many(int n) {
    int good = 0, left = 0;
    for (int i = 0; i < n; i++) {
        if (!fork()) { struct timespec t = {0, 100000}; nanosleep(&t, NULL); _exit(7); }
        if (++left == 20) for (; left; left--) { int s; if (wait(&s) > 0) good += WIFEXITED(s) && WEXITSTATUS(s) == 7; }
    }
    for (; left; left--) { int s; if (wait(&s) > 0) good += WIFEXITED(s) && WEXITSTATUS(s) == 7; }
    printf("many: %d of %d\n", good, n);
}
static void *exec_it(void *none) { (void)none; nap(5 * MS); execl("/bin/sh", "sh", "-c", "sleep 0.01; echo executed from a thread", NULL); return NULL; }
static void *idle(void *none) { (void)none; for (;;) nap(3 * MS); return NULL; }
static void thread_exec(void) {
    fflush(stdout);
    pid_t p = fork();
    if (!p) {
        pthread_t t;
        for (int i = 0; i < 5; i++) pthread_create(&t, NULL, idle, NULL);
        pthread_create(&t, NULL, exec_it, NULL);
        for (;;) nap(7 * MS);
    }
    printf("thread exec: %d\n", wait_for(p));
}
static void ends(void) {
    int signals[] = {SIGKILL, SIGTERM, SIGSEGV, SIGABRT, SIGALRM};
    for (int i = 0; i < 5; i++) {
        pid_t p = fork();
        if (!p) {
            signal(signals[i], SIG_DFL);
            pthread_t t;
            pthread_create(&t, NULL, idle, NULL);
            nap(5 * MS);
            if (signals[i] == SIGALRM) { struct itimerval v = {{0, 0}, {0, 5000}}; setitimer(ITIMER_REAL, &v, NULL); nap(5000 * MS); }
            kill(getpid(), signals[i]);
            nap(5000 * MS);
            _exit(1);
        }
        printf("ended by %d: %d\n", signals[i], wait_for(p));
    }
}
// A program that allows itself few calls, and no other form of them.
static void sandbox(void) {
    fflush(stdout);
    pid_t p = fork();
    if (!p) {
        #define OK(n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
        struct sock_filter f[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            OK(SYS_nanosleep), OK(SYS_poll), OK(SYS_epoll_wait), OK(SYS_write), OK(SYS_exit_group), OK(SYS_clock_gettime), OK(SYS_futex), OK(SYS_restart_syscall),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        };
        struct sock_fprog prog = {sizeof f / sizeof *f, f};
        int fd = epoll_create1(0);
        struct epoll_event e;
        struct timespec first = {0, MS}, t = {0, 20 * MS};
        nanosleep(&first, NULL);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (syscall(SYS_seccomp, 1, 0, &prog)) _exit(3);
        long begin = now();
        for (int i = 0; i < 3; i++) {
            syscall(SYS_nanosleep, &t, NULL);
            syscall(SYS_poll, NULL, 0, 20);
            syscall(SYS_epoll_wait, fd, &e, 1, 20);
            int w = 0;
            syscall(SYS_futex, &w, 0, 0, &t, NULL, 0);
        }
        _exit(now() - begin >= 240 * MS ? 42 : 43);
    }
    printf("sandbox: %d\n", wait_for(p));
}
static void jump(void) {
    // A handler that leaves the wait for good, and waits itself.
    extern void jumper(void);
    jumper();
}
#include <setjmp.h>
static sigjmp_buf back;
static void leave(int s) { (void)s; struct timespec t = {0, MS}; nanosleep(&t, NULL); siglongjmp(back, 1); }
void jumper(void) {
    struct sigaction a = {.sa_handler = leave};
    sigaction(SIGALRM, &a, NULL);
    volatile int n = 0;
    for (volatile int i = 0; i < 20; i++) {
        struct itimerval v = {{0, 0}, {0, 3000}};
        if (!sigsetjmp(back, 1)) { setitimer(ITIMER_REAL, &v, NULL); struct timespec t = {5, 0}; nanosleep(&t, NULL); }
        else n++;
    }
    printf("jumps: %d\n", n);
}
static void full_pipe(void) {
    // stderr is a pipe that nobody reads.
    int ends[2];
    if (pipe(ends)) abort();
    pid_t p = fork();
    if (!p) {
        dup2(ends[1], 2);
        char k[4096] = {0};
        signal(SIGALRM, SIG_DFL);
        alarm(1);
        for (;;) { nap(MS / 10); if (write(2, k, sizeof k) < 0) _exit(1); }
    }
    printf("full pipe: %d\n", wait_for(p));
}
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = argc > 2 ? atoi(argv[2]) : 0;
    if (!strcmp(argv[1], "storm")) storm();
    if (!strcmp(argv[1], "threads")) threads(n);
    if (!strcmp(argv[1], "children")) children(n);
    if (!strcmp(argv[1], "many")) many(n);
    if (!strcmp(argv[1], "exec")) thread_exec();
    if (!strcmp(argv[1], "ends")) ends();
    if (!strcmp(argv[1], "sandbox")) sandbox();
    if (!strcmp(argv[1], "jumps")) jump();
    if (!strcmp(argv[1], "pipe")) full_pipe();
    fflush(stdout);
    if (!strcmp(argv[1], "killed")) raise(n);
    if (!strcmp(argv[1], "idle")) { pthread_t t; pthread_create(&t, NULL, idle, NULL); if (!fork()) idle(NULL); idle(NULL); }
    return !strcmp(argv[1], "code") ? n : 0;
}
