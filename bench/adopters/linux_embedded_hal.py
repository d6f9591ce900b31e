"""linux-embedded-hal lets drivers that were written for microcontrollers wait for microseconds: it sleeps."""

from common import Case, Crate, main

main(
    Crate(
        "linux-embedded-hal",
        "0.5.0",
        "c54d3532c66df7cc711f1419e4ca28086dddb94fbe9f99be436ca520f907951f",
        [
            Case("10 delays of 50 µs, every 20 ms", ["10"]),
            Case("40 delays of 50 µs, every 20 ms", ["40"]),
        ],
        needs=['embedded-hal = "1"'],
    )
)
