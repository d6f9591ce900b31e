"""Precise waits: sleeps, tickers and timers that wake when they asked to."""

from punctually._native import __version__, now_ns
from punctually.simulation import simulate

__all__ = ["__version__", "now_ns", "simulate"]
