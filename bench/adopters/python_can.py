"""How late do python-can's cyclic tasks send, as they are and with punctually's sleep in place of time.sleep?

Usage: python_can.py [--tasks N]... [--seconds S] [--rounds N] [--computing {none,main}]...

Needs punctually and python-can 4.6.1 (pip install python-can==4.6.1). Every task has a thread and a period of
10 ms. Both ways take turns, each in a process of its own. Lateness is counted from the first message, by
whole periods. Beside a main thread that computes, its time does not count.
"""

import argparse
import json
import subprocess
import sys
import threading
import time
import types
from collections import defaultdict

import can
import can.broadcastmanager

import punctually

PERIOD = 0.01
WAYS = ("python-can", "punctually")


class Sink(can.BusABC):
    """A bus that writes down when each message comes."""

    def __init__(self) -> None:
        super().__init__(channel=None)
        self.sent: dict[int, list[int]] = defaultdict(list)

    def send(self, msg: can.Message, timeout: float | None = None) -> None:
        self.sent[msg.arbitration_id].append(time.perf_counter_ns())


def turn(way: str, tasks: int, computing: str, seconds: float) -> dict[str, object]:
    """One turn of one way."""
    if way == "punctually":
        clock = types.SimpleNamespace(**{name: getattr(time, name) for name in dir(time)})
        clock.sleep = punctually.sleep
        can.broadcastmanager.time = clock
    with Sink() as bus:
        begun, used = time.perf_counter(), time.process_time()
        for number in range(tasks):
            bus.send_periodic(can.Message(arbitration_id=number), PERIOD)
        main_used = time.thread_time()
        while time.perf_counter() < begun + seconds:
            if computing == "main":
                sum(range(1000))
            else:
                time.sleep(0.1)
        main_used = time.thread_time() - main_used
        share = (time.process_time() - used - main_used) / (time.perf_counter() - begun)
        bus.stop_all_periodic_tasks()
    late = []
    for sent in bus.sent.values():
        late += [at - sent[0] - round(number * PERIOD * 1e9) for number, at in enumerate(sent)][1:]
    return {"late": late, "share": share, "main": main_used / seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, action="append", help="default: 1, 10 and 40")
    parser.add_argument("--computing", choices=("none", "main"), action="append", help="default: both")
    parser.add_argument("--seconds", type=float, default=2, help="of each turn; default: 2")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.way:
        print(json.dumps(turn(asked.way, asked.tasks[0], asked.computing[0], asked.seconds)))
        return
    print(f"python-can {can.__version__}, Python {sys.version.split()[0]}, {threading.active_count()} thread")
    print("| tasks | main computes | way | p50 | p99 | processor | main |\n|---|---|---|---|---|---|---|")
    for computing in asked.computing or ("none", "main"):
        for tasks in asked.tasks or (1, 10, 40):
            turns: dict[str, list[dict]] = {way: [] for way in WAYS}
            for _ in range(asked.rounds):
                for way in WAYS:
                    options = f"--way {way} --tasks {tasks} --computing {computing} --seconds {asked.seconds}"
                    ran = subprocess.run([sys.executable, __file__, *options.split()], stdout=subprocess.PIPE)
                    turns[way].append(json.loads(ran.stdout))
            for way, each in turns.items():
                late = sorted(value for one in each for value in one["late"])
                p50, p99 = (late[int(len(late) * share)] / 1e6 for share in (0.5, 0.99))
                share, main_share = (sum(one[key] for one in each) / len(each) for key in ("share", "main"))
                name = "yes" if computing == "main" else "no"
                lateness = f"{p50:.3f} ms | {p99:.3f} ms"
                print(f"| {tasks} | {name} | {way} | {lateness} | {share:.1%} | {main_share:.0%} |")


if __name__ == "__main__":
    main()
