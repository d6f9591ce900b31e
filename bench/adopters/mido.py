"""mido plays MIDI files. It sleeps until each message is due."""

import time

from common import Case, Package, main

MIDO = Package(
    "mido",
    "1.3.3",
    "1aecb30b7f282404f17e43768cbf74a6a31bf22b3b783bdd117a1ce9d22cb74c",
    [Case("a note every 10 ms", ["10"]), Case("a note every 2 ms", ["2"])],
    needs=["packaging==26.2", "pytest==8.4.2"],
)


def turn(period: str) -> dict[str, object]:
    """How late notes are that stand so many milliseconds apart, in three seconds."""
    import mido

    count = 3000 // int(period)
    # A tick is a millisecond.
    track = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=1_000_000)])
    track += [mido.Message("note_on", note=60, time=int(period)) for _ in range(count)]
    played = []
    begun, used = time.perf_counter_ns(), time.process_time()
    for _ in mido.MidiFile(ticks_per_beat=1000, tracks=[track]).play(now=time.perf_counter):
        played.append(time.perf_counter_ns())
    late = [at - begun - (index + 1) * int(period) * 1_000_000 for index, at in enumerate(played)]
    return {"late": late, "share": (time.process_time() - used) / (played[-1] - begun) * 1e9}


if __name__ == "__main__":
    main(MIDO, turn)
