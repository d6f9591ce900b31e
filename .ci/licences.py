"""Checks where every dependency comes from and under which licence.

Usage: licences.py DIRECTORY...  (each the root of a workspace with a Cargo.lock)

Sources are read from Cargo.lock, for all systems; licences from the packages that are here because
they are fetched, for this one.
"""

import json
import pathlib
import re
import subprocess
import sys

OURS = "MIT OR Apache-2.0"
PERMITTED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    # The fuzzer of LLVM, which is in nothing that is shipped.
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


def host():
    version = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return re.search(r"^host: (.*)$", version, re.MULTILINE)[1]


def packages(directory):
    subprocess.run(["cargo", "fetch", "--quiet", "--locked", "--target", host()], cwd=directory, check=True)
    command = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    command += ["--filter-platform", host()]
    result = subprocess.run(command, cwd=directory, check=True, capture_output=True, text=True)
    return json.loads(result.stdout)["packages"]


def is_permitted(expression):
    """Whether an SPDX expression can be met. Nested parentheses are refused, not understood."""
    if "(" in expression:
        clauses = re.split(r"\s+AND\s+", expression)
        return all(is_permitted(clause.strip("() ")) for clause in clauses)
    alternatives = re.split(r"\s+(?:OR|or)\s+|/", expression)
    return any(all(part.strip() in PERMITTED for part in a.split(" AND ")) for a in alternatives)


def problems(directory):
    lock = pathlib.Path(directory, "Cargo.lock").read_text()
    for source in sorted(set(re.findall(r'^source = "(.*)"$', lock, re.MULTILINE)) - {REGISTRY}):
        yield f"{directory}: something comes from {source}"
    for package in packages(directory):
        name, licence = f"{package['name']} {package['version']}", package["license"]
        if package["source"] is None and licence != OURS:
            yield f"{name} is ours and not under {OURS} but {licence}"
        elif not licence or not is_permitted(licence):
            yield f"{name} is under {licence}"


found = [problem for directory in sys.argv[1:] for problem in problems(directory)]
print("\n".join(found) or "all dependencies come from crates.io, under permitted licences")
sys.exit(bool(found))
