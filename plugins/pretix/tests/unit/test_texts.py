from __future__ import annotations

import re

from babel.messages.pofile import read_po
from django.utils import translation

from tua_pay_pretix import texts as sentences

from .texts import PACKAGE, messages

PLACEHOLDER = re.compile(r"%\([a-z]+\)s")


def catalogue() -> dict[str, str]:
    with (PACKAGE / "locale/fr/LC_MESSAGES/django.po").open("rb") as lines:
        return {str(text.id): str(text.string) for text in read_po(lines, locale="fr") if text.id}


def test_every_text_is_translated_and_no_other() -> None:
    translated = catalogue()
    assert set(translated) == messages()
    assert [text for text, french in translated.items() if not french] == []


def test_a_translation_has_the_same_placeholders() -> None:
    for text, french in catalogue().items():
        assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(french)), text


def test_the_wheel_has_the_translations() -> None:
    with translation.override("fr"):
        assert str(sentences.PAID) == "Merci. Le paiement est arrivé."
