"""Builds the wheel, installs it in an empty folder, and runs the tests with it. Arguments are passed to pytest."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*command: str | Path) -> None:
    """Runs a command quietly, and shows what it printed where it failed."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


def main(*args: str) -> int:
    with tempfile.TemporaryDirectory(prefix="tua-packed-") as place:
        site = Path(place, "site")
        # The wheel is built from the source distribution, which has the licences too.
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", place)
        (wheel,) = Path(place).glob("*.whl")
        run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, wheel)
        env = os.environ | {"PYTHONPATH": str(site), "TUA_PACKED": str(site)}
        # The sources are not on the path.
        command = [sys.executable, "-m", "pytest", "-q", "--override-ini=pythonpath=", *args]
        return subprocess.run(command, cwd=ROOT, env=env).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
