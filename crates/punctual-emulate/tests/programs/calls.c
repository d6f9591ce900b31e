// Makes every timed call in every way, and says what each returned: the same with a tracer as without. Times are
// not said, only whether a wait ended too early, so that a busy machine says the same as an idle one.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L
typedef struct timespec ts;

static int pipe_ends[2], epoll_fd, sem_id, timer_fd;
static mqd_t empty_queue, full_queue;
static aio_context_t aio;
static uint32_t word, pi_word, requeue_word, requeue_target;
static timer_t timer;
static volatile int handled, pi_release;
static long extra; // what else a call said: a remainder, revents, a count

static long now(int clock) {
    ts t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000 * MS + t.tv_nsec;
}
static ts span(long ns) { return (ts){ns / (1000 * MS), ns % (1000 * MS)}; }
static long long_of(ts t) { return t.tv_sec * 1000 * MS + t.tv_nsec; }
static void handler(int s) { (void)s; handled++; }

// A remainder is said as: none written, or within what was asked.
static long left(ts rem, long ns) { return long_of(rem) == -1 ? 0 : long_of(rem) > 0 && long_of(rem) <= ns ? 1 : 2; }
static const ts untouched = {0, -1};

static long w_nanosleep(long ns) {
    ts t = span(ns), rem = untouched;
    long r = syscall(SYS_nanosleep, &t, &rem);
    int e = errno;
    extra = left(rem, ns);
    errno = e;
    return r;
}
static long w_nanosleep_null(long ns) { ts t = span(ns); return syscall(SYS_nanosleep, &t, NULL); }
static long sleep_in(int clock, long ns) {
    ts t = span(ns), rem = untouched;
    long r = syscall(SYS_clock_nanosleep, clock, 0, &t, &rem);
    int e = errno;
    extra = left(rem, ns);
    errno = e;
    return r;
}
static long sleep_at(int clock, long ns) {
    ts t = span(now(clock) + ns);
    return syscall(SYS_clock_nanosleep, clock, TIMER_ABSTIME, &t, NULL);
}
static long w_sleep_mono(long ns) { return sleep_in(CLOCK_MONOTONIC, ns); }
static long w_sleep_real(long ns) { return sleep_in(CLOCK_REALTIME, ns); }
static long w_sleep_boot(long ns) { return sleep_in(CLOCK_BOOTTIME, ns); }
static long w_until_mono(long ns) { return sleep_at(CLOCK_MONOTONIC, ns); }
static long w_until_real(long ns) { return sleep_at(CLOCK_REALTIME, ns); }
static long w_until_boot(long ns) { return sleep_at(CLOCK_BOOTTIME, ns); }
static long w_until_tai(long ns) { return sleep_at(CLOCK_TAI, ns); }
static long w_futex(long ns) { ts t = span(ns); return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0); }
static long w_futex_shared(long ns) { ts t = span(ns); return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &t, NULL, 0); }
static long w_bitset(long ns) {
    ts t = span(now(CLOCK_MONOTONIC) + ns);
    return syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, &t, NULL, FUTEX_BITSET_MATCH_ANY);
}
static long w_bitset_real(long ns) {
    ts t = span(now(CLOCK_REALTIME) + ns);
    return syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, &t, NULL, FUTEX_BITSET_MATCH_ANY);
}
static void wake(void) { syscall(SYS_futex, &word, FUTEX_WAKE, 9, NULL, NULL, 0); syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0); }
static long w_lock_pi(long ns) {
    ts t = span(now(CLOCK_REALTIME) + ns);
    return syscall(SYS_futex, &pi_word, FUTEX_LOCK_PI_PRIVATE, 0, &t, NULL, 0);
}
static long w_requeue_pi(long ns) {
    ts t = span(now(CLOCK_MONOTONIC) + ns);
    return syscall(SYS_futex, &requeue_word, FUTEX_WAIT_REQUEUE_PI_PRIVATE, 0, &t, &requeue_target, FUTEX_BITSET_MATCH_ANY);
}
struct waiter { uint64_t val, uaddr; uint32_t flags, reserved; };
static long w_waitv(long ns) {
    ts t = span(now(CLOCK_MONOTONIC) + ns);
    struct waiter v = {0, (uintptr_t)&word, 2 | 128, 0};
    return syscall(449, &v, 1, 0, &t, CLOCK_MONOTONIC);
}
static long w_poll(long ns) {
    struct pollfd p = {pipe_ends[0], POLLIN, 77};
    long r = syscall(SYS_poll, &p, 1, (int)((ns + MS - 1) / MS));
    extra = r >= 0 ? p.revents : 0;
    return r;
}
static long w_ppoll(long ns) {
    struct pollfd p = {pipe_ends[0], POLLIN, 77};
    ts t = span(ns);
    long r = syscall(SYS_ppoll, &p, 1, &t, NULL, 8);
    int e = errno;
    extra = r == 0 ? long_of(t) == 0 : long_of(t) > 0 && long_of(t) < ns;
    errno = e;
    return r;
}
static long w_select(long ns) {
    fd_set s, x;
    FD_ZERO(&s); FD_SET(pipe_ends[0], &s); FD_ZERO(&x); FD_SET(pipe_ends[0], &x);
    struct timeval t = {ns / (1000 * MS), ns % (1000 * MS) / 1000};
    long r = syscall(SYS_select, pipe_ends[0] + 1, &s, NULL, &x, &t), us = t.tv_sec * 1000000 + t.tv_usec;
    int e = errno;
    extra = FD_ISSET(pipe_ends[0], &s) + 2 * !!FD_ISSET(pipe_ends[0], &x) + 10 * (r == 0 ? us == 0 : us > 0 && us < ns / 1000);
    errno = e;
    return r;
}
static long w_pselect(long ns) {
    fd_set s;
    FD_ZERO(&s); FD_SET(pipe_ends[0], &s);
    ts t = span(ns);
    long r = syscall(SYS_pselect6, pipe_ends[0] + 1, &s, NULL, NULL, &t, NULL);
    int e = errno;
    extra = !!FD_ISSET(pipe_ends[0], &s) + 10 * (r == 0 ? long_of(t) == 0 : long_of(t) > 0 && long_of(t) < ns);
    errno = e;
    return r;
}
static long w_epoll(long ns) { struct epoll_event e; return syscall(SYS_epoll_wait, epoll_fd, &e, 1, (int)((ns + MS - 1) / MS)); }
static long w_epoll_p(long ns) {
    struct epoll_event e;
    uint64_t mask = 1UL << (SIGUSR2 - 1);
    return syscall(SYS_epoll_pwait, epoll_fd, &e, 1, (int)((ns + MS - 1) / MS), &mask, 8);
}
static long w_epoll_p2(long ns) { struct epoll_event e; ts t = span(ns); return syscall(441, epoll_fd, &e, 1, &t, NULL, 8); }
static void put(void) { if (write(pipe_ends[1], "x", 1) != 1) abort(); }
static long w_sigwait(long ns) {
    ts t = span(ns);
    uint64_t set = 1UL << (SIGRTMIN + 3 - 1);
    return syscall(SYS_rt_sigtimedwait, &set, NULL, &t, 8);
}
static long w_sem(long ns) { ts t = span(ns); struct sembuf b = {0, -1, 0}; return syscall(SYS_semtimedop, sem_id, &b, 1, &t); }
static void post(void) { struct sembuf b = {0, 1, 0}; semop(sem_id, &b, 1); }
static long w_receive(long ns) { ts t = span(now(CLOCK_REALTIME) + ns); char c[16]; return syscall(SYS_mq_timedreceive, empty_queue, c, 16, NULL, &t); }
static void send_one(void) { mq_send(empty_queue, "m", 1, 0); }
static long w_send(long ns) { ts t = span(now(CLOCK_REALTIME) + ns); return syscall(SYS_mq_timedsend, full_queue, "m", 1, 0, &t); }
static void receive_one(void) { char c[16]; mq_receive(full_queue, c, 16, NULL); }
static long w_getevents(long ns) { ts t = span(ns); struct io_event e; return syscall(SYS_io_getevents, aio, 1, 1, &e, &t); }
static long w_pgetevents(long ns) { ts t = span(ns); struct io_event e; return syscall(SYS_io_pgetevents, aio, 1, 1, &e, &t, NULL); }
static void submit(void) {
    static char c;
    struct iocb b = {.aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = (uint32_t)open("/proc/self/exe", O_RDONLY), .aio_buf = (uintptr_t)&c, .aio_nbytes = 1}, *all = &b;
    syscall(SYS_io_submit, aio, 1, &all);
    close((int)b.aio_fildes);
}
static long timerfd_wait(int flags, long first, long every) {
    struct itimerspec t = {span(every), span(first)};
    if (syscall(SYS_timerfd_settime, timer_fd, flags, &t, NULL)) return -1;
    uint64_t count = 0;
    return read(timer_fd, &count, 8) == 8 ? (long)count >= 1 : -1;
}
static long w_timerfd(long ns) { return timerfd_wait(0, ns, 0); }
static long w_timerfd_at(long ns) { return timerfd_wait(TFD_TIMER_ABSTIME, now(CLOCK_MONOTONIC) + ns, 0); }
static long w_timerfd_every(long ns) {
    long r = timerfd_wait(0, ns, ns);
    uint64_t count;
    if (r == 1 && read(timer_fd, &count, 8) != 8) r = -1;
    struct itimerspec none = {0};
    int e = errno;
    extra = syscall(SYS_timerfd_settime, timer_fd, 0, &none, NULL);
    errno = e;
    return r;
}
static long alarm_wait(void) {
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, SIGALRM);
    return sigwaitinfo(&s, NULL);
}
static long w_timer(long ns) { struct itimerspec t = {{0, 0}, span(ns)}; return syscall(SYS_timer_settime, timer, 0, &t, NULL) ? -1 : alarm_wait(); }
static long w_timer_at(long ns) { struct itimerspec t = {{0, 0}, span(now(CLOCK_MONOTONIC) + ns)}; return syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &t, NULL) ? -1 : alarm_wait(); }
static long w_itimer(long ns) { struct itimerval t = {{0, 0}, {ns / (1000 * MS), ns % (1000 * MS) / 1000}}; return syscall(SYS_setitimer, ITIMER_REAL, &t, NULL) ? -1 : alarm_wait(); }
static void let_pi(void) { pi_release = 1; }

static struct call {
    const char *name;
    long (*wait)(long);
    void (*trigger)(void);
    int timer; // its waiting call is another
} calls[] = {
    {"nanosleep", w_nanosleep, 0, 0}, {"nanosleep null", w_nanosleep_null, 0, 0},
    {"clock_nanosleep monotonic", w_sleep_mono, 0, 0}, {"clock_nanosleep realtime", w_sleep_real, 0, 0},
    {"clock_nanosleep boottime", w_sleep_boot, 0, 0}, {"clock_nanosleep until monotonic", w_until_mono, 0, 0},
    {"clock_nanosleep until realtime", w_until_real, 0, 0}, {"clock_nanosleep until boottime", w_until_boot, 0, 0},
    {"clock_nanosleep until tai", w_until_tai, 0, 0},
    {"futex wait", w_futex, wake, 0}, {"futex wait shared", w_futex_shared, wake, 0},
    {"futex bitset", w_bitset, wake, 0}, {"futex bitset realtime", w_bitset_real, wake, 0},
    {"futex lock_pi", w_lock_pi, let_pi, 0}, {"futex requeue_pi", w_requeue_pi, 0, 0}, {"futex_waitv", w_waitv, wake, 0},
    {"poll", w_poll, put, 0}, {"ppoll", w_ppoll, put, 0}, {"select", w_select, put, 0}, {"pselect6", w_pselect, put, 0},
    {"epoll_wait", w_epoll, put, 0}, {"epoll_pwait", w_epoll_p, put, 0}, {"epoll_pwait2", w_epoll_p2, put, 0},
    {"rt_sigtimedwait", w_sigwait, 0, 0}, {"semtimedop", w_sem, post, 0},
    {"mq_timedreceive", w_receive, send_one, 0}, {"mq_timedsend", w_send, receive_one, 0},
    {"io_getevents", w_getevents, submit, 0}, {"io_pgetevents", w_pgetevents, submit, 0},
    {"timerfd", w_timerfd, 0, 1}, {"timerfd until", w_timerfd_at, 0, 1}, {"timerfd every", w_timerfd_every, 0, 1},
    {"timer", w_timer, 0, 1}, {"timer until", w_timer_at, 0, 1}, {"setitimer", w_itimer, 0, 1},
};

static pthread_t main_thread;
static struct { struct call *call; int signal; long delay; } helper_job;
// When what was to happen during the wait began and was done: in memory that a child shares.
static volatile struct { long from, to; } *happened;
static void *helper(void *none) {
    (void)none;
    struct timespec t = span(helper_job.delay);
    nanosleep(&t, NULL);
    happened->from = now(CLOCK_MONOTONIC);
    if (helper_job.signal) pthread_kill(main_thread, helper_job.signal);
    else helper_job.call->trigger();
    happened->to = now(CLOCK_MONOTONIC);
    return NULL;
}
static void *pi_owner(void *none) {
    (void)none;
    syscall(SYS_futex, &pi_word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0);
    pi_release = 2;
    while (pi_release != 1) { struct timespec t = {0, MS}; nanosleep(&t, NULL); }
    syscall(SYS_futex, &pi_word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
    return NULL;
}
static void own_pi(pthread_t *owner) {
    pi_release = 0;
    pthread_create(owner, NULL, pi_owner, NULL);
    while (pi_release != 2) { struct timespec t = {0, MS}; nanosleep(&t, NULL); }
}
static void free_pi(pthread_t owner, long got) {
    pi_release = 1;
    pthread_join(owner, NULL);
    if (got == 0) syscall(SYS_futex, &pi_word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0);
}

// Says what a call returned. False if the machine was too busy for what was to happen to happen during the first half
// of the wait: the rest is for threads that are woken late.
static int make(struct call *c, const char *mode, long ns, long delay, int is_event, int sig, int stop) {
    pthread_t thread, owner;
    int pi = c->wait == w_lock_pi;
    if (pi) own_pi(&owner);
    handled = 0;
    extra = 0;
    helper_job.call = c;
    helper_job.signal = sig;
    helper_job.delay = delay;
    happened->from = happened->to = 0;
    pid_t stopper = 0;
    sigset_t all, before;
    sigfillset(&all);
    if (stop && !(stopper = fork())) {
        ts a = span(delay);
        nanosleep(&a, NULL);
        happened->from = now(CLOCK_MONOTONIC);
        kill(getppid(), SIGSTOP);
        nanosleep(&a, NULL);
        kill(getppid(), SIGCONT);
        happened->to = now(CLOCK_MONOTONIC);
        _exit(0);
    }
    if (is_event || sig) {
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_create(&thread, NULL, helper, NULL);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    errno = 0;
    long begin = now(CLOCK_MONOTONIC);
    long r = c->wait(ns);
    int e = r < 0 ? errno : 0;
    long took = now(CLOCK_MONOTONIC) - begin;
    int timed_out = (r == 0 && (!c->trigger || !is_event)) || e == ETIMEDOUT || e == EAGAIN || (c->timer && r > 0);
    // setitimer counts from the last tick of the kernel.
    int early = timed_out && took < ns - 5 * MS * (c->wait == w_itimer);
    if (is_event || sig) pthread_join(thread, NULL);
    if (stopper) while (waitpid(stopper, NULL, 0) < 0) {}
    if (pi) free_pi(owner, r);
    struct itimerval none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &none, NULL);
    struct itimerspec no = {{0, 0}, {0, 0}};
    timer_settime(timer, 0, &no, NULL);
    timerfd_settime(timer_fd, 0, &no, NULL);
    // What came too late is still there.
    ts at_once = {0, 0};
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    sigtimedwait(&alarms, NULL, &at_once);
    if (is_event && c->trigger == put) { char x; if (read(pipe_ends[0], &x, 1) != 1) abort(); }
    if ((is_event || sig || stop) && (happened->from < begin + delay / 4 || happened->to > begin + ns / 2)) {
        if (c->trigger == post) { struct sembuf b = {0, -1, IPC_NOWAIT}; semop(sem_id, &b, 1); }
        return 0;
    }
    printf("%-32s %-10s returned %ld errno %d extra %ld handled %d early %d\n", c->name, mode, r, e, extra, handled, early);
    fflush(stdout);
    return 1;
}

// As often as it takes, with more and more time.
static void attempt(struct call *c, const char *mode, long ns, int is_event, int sig, int stop) {
    long delay = 20 * MS;
    while (!make(c, mode, ns, delay, is_event, sig, stop)) { ns *= 2; delay *= 2; }
}

int main(int argc, char **argv) {
    const char *only = argc > 1 ? argv[1] : "";
    main_thread = pthread_self();
    happened = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pipe(pipe_ends)) return 1;
    epoll_fd = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, pipe_ends[0], &event);
    sem_id = semget(IPC_PRIVATE, 1, 0600);
    char name[64];
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 16};
    snprintf(name, sizeof name, "/punctual-empty-%d", getpid());
    empty_queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);
    mq_unlink(name);
    snprintf(name, sizeof name, "/punctual-full-%d", getpid());
    full_queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);
    mq_unlink(name);
    mq_send(full_queue, "m", 1, 0);
    syscall(SYS_io_setup, 8, &aio);
    timer_fd = timerfd_create(CLOCK_MONOTONIC, 0);
    struct sigevent by = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    timer_create(CLOCK_MONOTONIC, &by, &timer);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    sigaddset(&blocked, SIGRTMIN + 3);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    struct sigaction plain = {.sa_handler = handler}, again = {.sa_handler = handler, .sa_flags = SA_RESTART}, none = {.sa_handler = SIG_IGN};
    sigaction(SIGUSR1, &plain, NULL);
    sigaction(SIGUSR2, &again, NULL);
    sigaction(SIGRTMIN + 1, &none, NULL);

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call *c = &calls[i];
        if (!strstr(c->name, only)) continue;
        attempt(c, "timeout", 20 * MS, 0, 0, 0);
        if (c->trigger) attempt(c, "event", 2000 * MS, 1, 0, 0);
        attempt(c, "ignored", 60 * MS, 0, SIGRTMIN + 1, 0);
        attempt(c, "default", 60 * MS, 0, SIGURG, 0);
        attempt(c, "stop", 200 * MS, 0, 0, 1);
        // lock_pi is repeated even then.
        attempt(c, "handler", c->wait == w_lock_pi ? 80 * MS : 2000 * MS, 0, SIGUSR1, 0);
        attempt(c, "restart", 80 * MS, 0, SIGUSR2, 0);
    }
    semctl(sem_id, 0, IPC_RMID);
    return 0;
}
