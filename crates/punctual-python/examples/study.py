"""A large study: what a wait of 1 ms takes on each Windows, beside each request, with many seeds.

Usage: study.py [SCHEDULER]

Runs on all processors of this machine, or on a cluster: give the address of a Dask scheduler, such
as tcp://10.0.0.1:8786. Needs `pip install distributed`.
"""

import itertools
import sys

from distributed import Client

import punctually
from punctually.simulation import machines


def mean_ms(machine: str, request: str, seed: int) -> float:
    with_request = [f"requester={request}"]
    found = punctually.simulate(machine, call="sleep", at="random", companions=with_request, seed=seed)
    return found.mean_ns / 1e6


if __name__ == "__main__":
    with Client(*sys.argv[1:]) as cluster:
        questions = list(itertools.product(machines(), ["1ms", "2ms", "5ms", "15ms"], range(1, 9)))
        means = cluster.gather(cluster.map(mean_ms, *zip(*questions)))
    cells = itertools.groupby(zip(questions, means), key=lambda cell: cell[0][:2])
    for (machine, request), group in cells:
        found = [mean for _, mean in group]
        print(f"{machine:16} requester={request:5} {min(found):6.2f} to {max(found):6.2f} ms")
