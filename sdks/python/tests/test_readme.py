"""The programs of the README."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conformance import FOLDER

import tua_pay

README = Path(__file__).parent.parent / "README.md"


@pytest.mark.skipif("TUA_BIN" not in os.environ, reason="TUA_BIN is not set")
def test_somebody_who_has_only_the_readme_is_paid(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(Path(tua_pay.__file__).parent.parent)}
    programs = [f"{sys.executable} pay.py", f"{sys.executable} -m flask --app shop.py run --port 9000"]
    subprocess.run(["node", FOLDER / "readme.mjs", README, tmp_path, *programs], check=True, env=env)
