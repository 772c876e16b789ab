"""What the generated models have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal
from enum import Enum
from typing import TYPE_CHECKING, Any, NoReturn

from pydantic import BaseModel, ConfigDict, field_validator

_SECRET = re.compile(r"(tua_checkout_|whsec_)[A-Za-z0-9_+/=-]+")
_PESEWA = Decimal("0.01")
# Its own, because a shop may have set another precision or other traps for its calculations.
_CONTEXT = Context(prec=28)


class Model(BaseModel):
    """A resource as the service shows it. Members that this version does not have are left out."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    @field_validator("*", mode="after")
    @classmethod
    def _check_money(cls, value: Any) -> Any:
        """Money has exactly two decimals. A sum with more of them is not the service's, and is not rounded."""
        if not isinstance(value, Decimal):
            return value
        try:
            exact = value.quantize(_PESEWA, context=_CONTEXT)
        except ArithmeticError as error:
            raise ValueError("the sum is larger than any of the service") from error
        if not value.is_finite() or value != exact:
            raise ValueError("the sum is not in whole pesewas")
        return exact

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """A checkout token pays its session, and a webhook secret signs events: `repr` and `str` hide them."""
        for name, value in super().__repr_args__():
            yield name, _SECRET.sub(r"\1…", value) if isinstance(value, str) else value


class StatusEnum(Enum):
    """A status with more than two values. It is no truth value and no text: `if status:` and `status == "PAID"` raise
    TypeError. The text is `status.value`."""

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self} is neither true nor false: there are {', '.join(type(self).__members__)}. "
            "Compare it, or use match with all cases."
        )

    # A type checker reports the comparison by itself, unless the class has an `__eq__` of its own.
    if not TYPE_CHECKING:

        def __eq__(self, other: object) -> bool:
            if isinstance(other, str):
                name = other.upper() if other.upper() in type(self).__members__ else "…"
                raise TypeError(
                    f"{self} is no text, so it never equals {other[:40]!r}. "
                    f"Write `is {type(self).__name__}.{name}`, or compare its .value."
                )
            return NotImplemented

        # That of the name: so a set or dictionary that has the text as a key raises too.
        __hash__ = Enum.__hash__
