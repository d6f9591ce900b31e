"""The tests do not depend on how they were started."""

from __future__ import annotations

import os
import signal

# Programs that the tests start print what they print for everybody.
for variable in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHON_COLORS"):
    os.environ.pop(variable, None)

# A shell starts what runs in its background with it ignored, and children inherit that. They inherit no
# handler: what the tests start has the default.
signal.signal(signal.SIGINT, signal.default_int_handler)
