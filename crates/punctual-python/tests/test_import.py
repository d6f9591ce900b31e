import time

import punctually


def test_the_clock_is_that_of_the_time_module() -> None:
    before = time.monotonic_ns()
    now = punctually.now_ns()
    assert before <= now <= time.monotonic_ns()
