"""python-can sends cyclic messages, each from a thread of its own."""

import time
from collections import defaultdict

from common import Case, Package, main, main_thread

PERIOD = 0.01
SECONDS = 2

CAN = Package(
    "python-can",
    "4.6.1",
    "290fea135d04b8504ebff33889cc6d301e2181a54099116609f940825ffe5005",
    [
        Case(
            f"{tasks} every 10 ms{', the main thread computes' * (computes == 'yes')}", [str(tasks), computes]
        )
        for computes in ("no", "yes")
        for tasks in (1, 10, 40)
    ],
    needs=[
        "canalystii==0.1",
        "hypothesis==6.137.3",
        "parameterized==0.9.0",
        "pyserial==3.5",
        "pytest==8.4.2",
        "pytest-timeout==2.4.0",
        "typing_extensions==4.15.0",
        "wrapt==1.17.3",
    ],
)


def turn(tasks: str, computes: str) -> dict[str, object]:
    """How late messages are, by whole periods from the first of each."""
    import can

    class Sink(can.BusABC):
        """A bus that writes down when each message comes."""

        def __init__(self) -> None:
            super().__init__(channel=None)
            self.sent: dict[int, list[int]] = defaultdict(list)

        def send(self, msg: can.Message, timeout: float | None = None) -> None:
            self.sent[msg.arbitration_id].append(time.perf_counter_ns())

    with Sink() as bus:
        for number in range(int(tasks)):
            bus.send_periodic(can.Message(arbitration_id=number), PERIOD)
        found = main_thread(SECONDS, computes == "yes")
        bus.stop_all_periodic_tasks()
    late = []
    for sent in bus.sent.values():
        late += [at - sent[0] - round(number * PERIOD * 1e9) for number, at in enumerate(sent)][1:]
    return {"late": late, **found}


if __name__ == "__main__":
    main(CAN, turn)
