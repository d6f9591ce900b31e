#!/usr/bin/env python3
"""Checks what `cargo package --workspace` has put into target/package: all that the registry wants to know, the licences
and a README, and every file that is included into the program or its tests."""

import json
import os
import pathlib
import posixpath
import re
import subprocess
import sys
import tarfile

WANTED = ["description", "license", "documentation", "readme", "keywords", "categories", "rust_version"]
INCLUDED = re.compile(r'include_(?:str|bytes)!\(\s*"([^"]+)"\s*,?\s*\)')
ROOT = pathlib.Path(__file__).resolve().parent.parent


def metadata():
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def problems(package, archive):
    """What is wrong with one package; `archive` maps its files' names to their bytes."""
    for key in WANTED:
        if not package[key]:
            yield f"no {key}"
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"]:
        if archive.get(licence) != (ROOT / licence).read_bytes():
            yield f"{licence} is not the project's"
    if len(archive.get("README.md", b"")) < 200:
        yield "README.md says nothing"
    for name, content in archive.items():
        if not name.endswith(".rs"):
            continue
        for included in INCLUDED.findall(content.decode()):
            if posixpath.normpath(posixpath.join(posixpath.dirname(name), included)) not in archive:
                yield f"{name} includes {included}, which is not inside"


def files(package, folder):
    stem = f"{package['name']}-{package['version']}"
    with tarfile.open(folder / f"{stem}.crate") as archive:
        return {
            file.name.removeprefix(f"{stem}/"): archive.extractfile(file).read()
            for file in archive
            if file.isfile()
        }


def main():
    found = metadata()
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", found["target_directory"])) / "package"
    published = [package for package in found["packages"] if package["publish"] != []]
    broken = 0
    for package in published:
        for problem in problems(package, files(package, folder)):
            print(f"{package['name']}: {problem}")
            broken += 1
    print(f"{len(published)} packages, {broken} problems")
    return 1 if broken else 0


sys.exit(main())
