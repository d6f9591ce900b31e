"""leaky-bucket limits rates. It waits by tokio's timers, and counts every next interval from when it woke."""

from common import Case, Crate, main

main(
    Crate(
        "leaky-bucket",
        "1.1.2",
        "0a396bb213c2d09ed6c5495fd082c991b6ab39c9daf4fff59e6727f85c73e4c5",
        [Case("a permit every 10 ms", ["10"]), Case("a permit every 2 ms", ["2"])],
        needs=['tokio = { version = "1.47", features = ["rt", "time"] }'],
    )
)
