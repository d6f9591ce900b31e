"""The exceptions of this package."""

__all__ = [
    "BusyError",
    "Cancelled",
    "ForkedError",
    "InvalidInputError",
    "NotPermittedError",
    "PunctualError",
    "ShutDownError",
    "SimulationError",
    "SystemCallError",
    "UnsupportedError",
]


class PunctualError(Exception):
    """The base of all exceptions of this package."""


class InvalidInputError(PunctualError, ValueError):
    """No wait can have such a value. The message names the argument and says what would be right."""


class NotPermittedError(PunctualError, PermissionError):
    """The system refuses. The message names the missing privilege and says how to grant it."""


class UnsupportedError(PunctualError, NotImplementedError):
    """This system does not have what was asked for."""


class SystemCallError(PunctualError, OSError):
    """A call of the system failed."""


class Cancelled(PunctualError):
    """A `Cancel` ended the wait before its deadline."""


class BusyError(PunctualError, RuntimeError):
    """It is waiting already, in another thread or below a signal handler. Give each thread its own."""


class ShutDownError(PunctualError, RuntimeError):
    """The driver was shut down. It takes no more timers."""


class ForkedError(ShutDownError):
    """The driver belongs to the parent of this process, whose threads a fork lacks. Make a new one."""


class SimulationError(PunctualError, RuntimeError):
    """A simulated machine could not run to its end."""
