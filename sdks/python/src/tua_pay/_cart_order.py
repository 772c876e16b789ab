"""A page's cart, read strictly, with the shop's names and prices."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ._cart_problem import CartProblem
from .amount import Amount, Number, amount_text
from .errors import Fault, TuaUsageError

T = TypeVar("T")

_DONATION_SKU = "donation"
_MAX_LINES = 30
_MAX_PESEWAS = 100_000_000_000
_ATOM = r"[^\s@<>()\[\]\\,;:\"\x00-\x1f\x7f-\x9f]+"
_EMAIL = re.compile(rf"{_ATOM}@{_ATOM}\.[^\s@.<>()\[\]\\,;:\"\x00-\x1f\x7f-\x9f]+")


@dataclass(frozen=True)
class SoldItem:
    """What the shop sells: the only source of names and prices."""

    sku: str
    name: str
    """1 to 60 bytes on one line. It goes into the metadata of the checkout."""
    price: Amount
    """The price of one, in cedis."""


@dataclass(frozen=True)
class Donation:
    """An amount of the payer's choice, which a cart orders as `{"sku": "donation", "amount": 20}`."""

    name: str
    min: Amount
    max: Amount


@dataclass(frozen=True)
class Order:
    """A cart with the shop's own names and prices."""

    email: str
    reference: str | None
    metadata: dict[str, Any]
    """The page's own, and what is bought."""
    total: str


@dataclass(frozen=True)
class _Line:
    sku: str
    name: str
    pesewas: int
    quantity: int

    def describe(self) -> dict[str, Any]:
        price = Number(_from_pesewas(self.pesewas))
        return {"sku": self.sku, "name": self.name, "quantity": self.quantity, "price": price}


@dataclass(frozen=True)
class _Refusal:
    code: str
    detail: str


def find_skus(cart: Mapping[str, Any], donation: Donation | None) -> list[str]:
    """The SKUs that a cart names, which the shop looks up."""
    items = cart.get("items")
    if not isinstance(items, list) or len(items) > _MAX_LINES:
        return []
    named = [item.get("sku") for item in items if isinstance(item, dict)]
    skus = dict.fromkeys(sku for sku in named if isinstance(sku, str))
    if donation:
        skus.pop(_DONATION_SKU, None)
    return list(skus)


def read_order(cart: Mapping[str, Any], sold: Iterable[SoldItem], donation: Donation | None) -> Order:
    """Reads a cart; raises a CartProblem with every fault."""
    prices = {item.sku: _check_item(item) for item in sold}
    faults: list[Fault] = []
    members = _Members(cart, "", faults)
    items = members.read("items", _read_list)
    email = members.read("email", _read_email)
    reference = members.read_optional("reference", _read_text)
    metadata = members.read_optional("metadata", _read_metadata)
    members.refuse_others()
    of_items: list[Fault] = []
    lines = [] if items is None else _read_lines(items, prices, donation, of_items)
    total = sum(line.pesewas * line.quantity for line in lines)
    if not of_items and not faults and total > _MAX_PESEWAS:
        of_items.append(Fault("/items", "invalid_amount", "The cart's total is above the largest amount."))
    if of_items or faults:
        raise CartProblem.of([*of_items, *faults])
    bought = {"items": [line.describe() for line in lines]}
    return Order(email or "", reference, (metadata or {}) | bought, _from_pesewas(total))


def _read_lines(items: list[Any], sold: Mapping[str, _Line], donation: Donation | None, faults: list[Fault]) -> list[_Line]:
    if not items:
        faults.append(Fault("/items", "empty_cart", "The cart is empty."))
    if len(items) > _MAX_LINES:
        faults.append(Fault("/items", "too_many_items", f"A cart may have at most {_MAX_LINES} different items."))
        return []
    lines: list[_Line] = []
    for index, item in enumerate(items):
        line = _read_line(item, f"/items/{index}", sold, donation, faults)
        if line is None:
            continue
        if any(earlier.sku == line.sku for earlier in lines):
            detail = f"The cart has {line.sku} more than once. Send one item with the whole quantity."
            faults.append(Fault(f"/items/{index}/sku", "duplicate_sku", detail))
        lines.append(line)
    return lines


def _read_line(
    item: Any, pointer: str, sold: Mapping[str, _Line], donation: Donation | None, faults: list[Fault]
) -> _Line | None:
    found = as_object(item)
    if found is None:
        faults.append(Fault(pointer, "invalid_type", "This must be a JSON object."))
        return None
    before = len(faults)
    members = _Members(found, pointer, faults)
    line: _Line | None = None
    if donation and found.get("sku") == _DONATION_SKU:
        members.read("sku", _read_text)
        pesewas = members.read("amount", lambda value: _read_donation(value, donation))
        members.forbid("quantity", "A donation has an amount and no quantity.")
        if pesewas is not None:
            line = _Line(_DONATION_SKU, donation.name, pesewas, 1)
    else:
        article = members.read("sku", lambda value: _read_sku(value, sold))
        quantity = members.read("quantity", _read_quantity)
        members.forbid("amount", "The shop sets this price.")
        if article is not None and quantity is not None:
            line = _Line(article.sku, article.name, article.pesewas, quantity)
    members.refuse_others()
    return line if len(faults) == before else None


class _Members:
    """The members of an object, each of which is read once. One that is null is as good as absent."""

    def __init__(self, members: Mapping[str, Any], pointer: str, faults: list[Fault]) -> None:
        self._members = members
        self._pointer = pointer
        self._faults = faults
        self._known: set[str] = set()

    def read(self, name: str, parse: Callable[[Any], T | _Refusal]) -> T | None:
        if self._members.get(name) is not None:
            return self.read_optional(name, parse)
        self._known.add(name)
        self._refuse(name, _Refusal("field_required", f"{name} is required."))
        return None

    def read_optional(self, name: str, parse: Callable[[Any], T | _Refusal]) -> T | None:
        self._known.add(name)
        value = self._members.get(name)
        result = None if value is None else parse(value)
        if not isinstance(result, _Refusal):
            return result
        self._refuse(name, result)
        return None

    def forbid(self, name: str, detail: str) -> None:
        self._known.add(name)
        if self._members.get(name) is not None:
            self._refuse(name, _Refusal("field_not_allowed", detail))

    def refuse_others(self) -> None:
        for name in self._members:
            if name not in self._known:
                self._refuse(name, _Refusal("unknown_field", "This field does not exist."))

    def _refuse(self, name: str, refusal: _Refusal) -> None:
        pointer = f"{self._pointer}/{name.replace('~', '~0').replace('/', '~1')}"
        self._faults.append(Fault(pointer, refusal.code, refusal.detail))


def as_object(value: Any) -> dict[str, Any] | None:
    """An empty array is an empty object, because PHP writes it so."""
    if value == []:
        return {}
    return value if isinstance(value, dict) else None


def _read_list(value: Any) -> list[Any] | _Refusal:
    return value if isinstance(value, list) else _Refusal("invalid_type", "This must be a JSON array.")


def _read_text(value: Any) -> str | _Refusal:
    return value if isinstance(value, str) else _Refusal("invalid_type", "This must be a text.")


def _read_email(value: Any) -> str | _Refusal:
    if not isinstance(value, str):
        return _read_text(value)
    is_email = _EMAIL.fullmatch(value) and len(value.encode()) <= 254
    return value if is_email else _Refusal("invalid_email", "This is not an e-mail address.")


def _read_metadata(value: Any) -> dict[str, Any] | _Refusal:
    metadata = as_object(value)
    if metadata is None:
        return _Refusal("invalid_type", "The metadata must be a JSON object.")
    if "items" not in metadata:
        return metadata
    detail = "The metadata may not have the member items: the shop writes what was bought there."
    return _Refusal("field_not_allowed", detail)


def _read_sku(value: Any, sold: Mapping[str, _Line]) -> _Line | _Refusal:
    if not isinstance(value, str):
        return _Refusal("invalid_type", "This must be a text.")
    return sold.get(value) or _Refusal("unknown_sku", "The shop does not sell this.")


def _read_quantity(value: Any) -> int | _Refusal:
    if not isinstance(value, Number):
        return _Refusal("invalid_type", "The quantity must be a JSON number.")
    if re.fullmatch(r"[1-9][0-9]{0,2}", value.text):
        return int(value.text)
    return _Refusal("invalid_quantity", "The quantity must be a whole number from 1 to 999.")


def _read_donation(value: Any, donation: Donation) -> int | _Refusal:
    if not isinstance(value, Number):
        return _Refusal("invalid_type", "The amount must be a JSON number, in cedis.")
    digits = re.fullmatch(r"([0-9]{1,10})(?:\.([0-9]{1,2})0*)?", value.text)
    if digits is None:
        return _Refusal("invalid_amount", "The amount is more than 0, and has at most 2 decimals and no exponent.")
    pesewas = int(digits[1] + (digits[2] or "").ljust(2, "0"))
    if not 1 <= pesewas <= _MAX_PESEWAS:
        return _Refusal("invalid_amount", "The amount must be from 0.01 to 1000000000.00.")
    if to_pesewas(donation.min, "donation.min") <= pesewas <= to_pesewas(donation.max, "donation.max"):
        return pesewas
    detail = f"The donation must be between {donation.min} and {donation.max} GHS."
    return _Refusal("donation_out_of_range", detail)


def _check_item(item: SoldItem) -> _Line:
    check_name(item.name, f"the name of {item.sku}")
    return _Line(item.sku, item.name, to_pesewas(item.price, f"the price of {item.sku}"), 0)


def check_name(name: object, what: str) -> None:
    """Names are short because 30 of them must fit into the metadata of a checkout."""
    is_text = isinstance(name, str) and 1 <= len(name.encode()) <= 60
    if not is_text or any(unicodedata.category(letter) == "Cc" for letter in str(name)):
        raise TuaUsageError(f"{what} is a text of 1 to 60 bytes on one line.")


def to_pesewas(amount: object, name: str) -> int:
    """Whole pesewas of an amount."""
    cedis, _, decimals = amount_text(amount, name).partition(".")
    return int(cedis + decimals.ljust(2, "0"))


def _from_pesewas(pesewas: int) -> str:
    return f"{pesewas // 100}.{pesewas % 100:02}"
