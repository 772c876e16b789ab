"""Writes the synchronous modules from the asynchronous ones. With --check it writes nothing and fails where they differ."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "src/tua_pay"
WORDS = {
    "async def": "def",
    "async for": "for",
    "async with": "with",
    "await ": "",
    "import anyio": "import time",
    "anyio.sleep": "time.sleep",
    "AsyncClient": "Client",
    "AsyncIterator": "Iterator",
    "AsyncGenerator[Event, None]": "Generator[Event, None, None]",
    "aiter_bytes": "iter_bytes",
    "__aiter__": "__iter__",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "aclose": "close",
    "_async_": "_sync_",
    "The asynchronous client.": "The synchronous client.",
}


def generate(source: Path) -> tuple[Path, str]:
    text = source.read_text("utf-8")
    for word, replacement in WORDS.items():
        text = text.replace(word, replacement)
    text = re.sub(r"\bAsync([A-Z])", r"\1", text)
    # A blocking call cannot be cancelled.
    text = re.sub(r"with anyio\.fail_after\(\w+\):\n\s+", "", text)
    text = f"# Generated from {source.name} by scripts/generate_sync.py. Do not edit.\n{text}"
    target = source.with_name(source.name.replace("_async_", "_sync_"))
    for command in (["check", "--select", "I,F811", "--fix", "--quiet"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(target), "-"]
        text = subprocess.run(ruff, check=True, cwd=ROOT, input=text, capture_output=True, text=True).stdout
    return target, text


if __name__ == "__main__":
    for source in sorted(FOLDER.glob("_async_*.py")):
        target, text = generate(source)
        if "--check" not in sys.argv:
            target.write_text(text, "utf-8")
        elif target.read_text("utf-8") != text:
            sys.exit(f"{target.name} differs from {source.name}. Run: python scripts/generate_sync.py")
