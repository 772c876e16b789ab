"""Compiles the translations when the package is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface):  # type: ignore[type-arg]
    """Writes a `.mo` beside each `.po`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in Path(self.root, "src/tua_pay_pretix/locale").rglob("*.po"):
            with source.open("rb") as lines:
                catalogue = read_po(lines, locale=source.parts[-3])
            with source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, catalogue)
