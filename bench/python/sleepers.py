"""Processes that sleep again and again in SimPy; prints the nanoseconds of processor time.

Usage: sleepers.py PROCESSES SLEEPS_EACH LONGEST
"""

import random
import sys
import time

import simpy


def sleeper(environment, chance, sleeps, longest):
    for _ in range(sleeps):
        # Times faster than randint.
        yield environment.timeout(1 + int(longest * chance()))


def main():
    processes, sleeps, longest = map(int, sys.argv[1:])
    environment = simpy.Environment()
    for number in range(processes):
        chance = random.Random(number).random
        environment.process(sleeper(environment, chance, sleeps, longest))
    began = time.process_time_ns()
    environment.run()
    print(time.process_time_ns() - began)


main()
