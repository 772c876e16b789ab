"""Every text of the package that is translated."""

from __future__ import annotations

import io
from importlib.resources import files
from pathlib import Path

from babel.messages.extract import extract
from django.utils.translation.template import templatize

PACKAGE = Path(str(files("tua_pay_pretix")))
KEYWORDS = {"_": None, "gettext": None, "gettext_lazy": None}


def messages() -> set[str]:
    """The texts of the sources and templates, as they are in the catalogue."""
    sources = [source.read_text("utf-8") for source in PACKAGE.rglob("*.py")]
    templates = [templatize(page.read_text("utf-8")) for page in PACKAGE.rglob("*.html")]
    found: set[str] = set()
    for text in sources + templates:
        for _line, message, _comments, _context in extract(
            "python", io.BytesIO(text.encode()), keywords=KEYWORDS
        ):
            found.add(str(message))
    return found
