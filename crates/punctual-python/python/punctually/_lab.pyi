from punctually._types import Trust

def simulate(
    machine: str,
    call: str,
    length_ns: int,
    count: int,
    *,
    at: str,
    companions: list[str],
    load: str,
    request_ns: int | None,
    seed: int,
) -> tuple[bytes, int, Trust | None]: ...
def simulated_names() -> tuple[list[str], list[str], list[str]]: ...
