"""discord.py sends a packet of voice every 20 ms, from a thread for each call."""

import time

from common import Case, Package, main, main_thread

FRAME = 0.02
SECONDS = 3

DISCORD = Package(
    "discord.py",
    "2.6.4",
    "44384920bae9b7a073df64ae9b14c8cf85f9274b5ad5d1d07bd5a67539de2da9",
    [
        Case("10 calls", ["10", "no"]),
        Case("1 call, the main thread computes", ["1", "yes"]),
        Case("10 calls, the main thread computes", ["10", "yes"]),
    ],
    needs=[
        "aiohttp==3.13.1",
        "audioop-lts==0.2.2; python_version >= '3.13'",
        "pytest==8.4.2",
        "pytest-asyncio==1.2.0",
        "typing_extensions==4.15.0",
        "tzdata==2025.2",
    ],
)


def turn(calls: str, computes: str) -> dict[str, object]:
    """How late packets are."""
    from discord.player import AudioPlayer, AudioSource

    class Silence(AudioSource):
        def read(self) -> bytes:
            return b"\0"

    class Call:
        """What a player knows of its connection."""

        def __init__(self) -> None:
            self.sent: list[float] = []
            self.player = AudioPlayer(Silence(), self)

        def is_connected(self) -> bool:
            return True

        def send_audio_packet(self, data: bytes, encode: bool) -> None:
            self.sent.append(time.perf_counter())

    # What a player tells its connection that it speaks.
    AudioPlayer._speak = lambda self, state: None
    each = [Call() for _ in range(int(calls))]
    for call in each:
        call.player.start()
    found = main_thread(SECONDS, computes == "yes")
    for call in each:
        call.player.stop()
    late = []
    for call in each:
        # A player's second packet is due two frames after its start.
        late += [
            (at - call.player._start - (number + 2) * FRAME) * 1e9 for number, at in enumerate(call.sent[1:])
        ]
    return {"late": late, **found}


if __name__ == "__main__":
    main(DISCORD, turn)
