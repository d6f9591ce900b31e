"""nodi plays MIDI files. It sleeps by the millisecond, and spins the last three of every wait."""

from common import Case, Crate, main

main(
    Crate(
        "nodi",
        "1.0.3",
        "c239c2e3375e623350d34298cdeee95ea102111d69ffc1d8335cf417dc346b70",
        [Case("a note every 10 ms", ["10"]), Case("a note every 2 ms", ["2"])],
        needs=['midly = "0.5.3"'],
    )
)
