"""Waits in CPython, and how long each took: waits.py ENTRY NANOSECONDS COUNT."""

import asyncio
import queue
import select
import sys
import threading
import time

entry, nanoseconds, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
seconds = nanoseconds / 1e9
took = []


def now():
    # Before 3.7 there is no monotonic_ns.
    return int(time.monotonic() * 1e9)


def repeat(wait):
    for _ in range(count):
        begin = now()
        wait()
        took.append(now() - begin)


def lock():
    held = threading.Lock()
    held.acquire()
    repeat(lambda: held.acquire(timeout=seconds))


def threads():
    """Four threads that sleep at once; every one's waits count."""
    sleepers = [threading.Thread(target=repeat, args=(lambda: time.sleep(seconds),)) for _ in range(4)]
    for sleeper in sleepers:
        sleeper.start()
    for sleeper in sleepers:
        sleeper.join()


def get():
    empty = queue.Queue()

    def wait():
        try:
            empty.get(timeout=seconds)
        except queue.Empty:
            pass

    repeat(wait)


async def in_a_loop():
    for _ in range(count):
        begin = now()
        await asyncio.sleep(seconds)
        took.append(now() - begin)


entries = {
    "sleep": lambda: repeat(lambda: time.sleep(seconds)),
    "threads": threads,
    "lock": lock,
    "queue": get,
    "select": lambda: repeat(lambda: select.select([], [], [], seconds)),
    "asyncio": lambda: asyncio.run(in_a_loop()),
}
entries[entry]()
print(*took, sep="\n")
