"""Validates every amount from 0.01 to 100.00 by the document, with the validator of each kind.

A validator that computes with binary fractions refuses 0.29 by `multipleOf: 0.01`, and a client that checks what it sends
or receives then refuses one of seven amounts.
"""

import json
import sys
from decimal import Decimal

import jsonschema
import jsonschema_rs

with open(sys.argv[1], encoding="utf-8") as file:
    SCHEMAS = json.load(file)["components"]["schemas"]


def refused_amounts(is_valid):
    amounts = (str(Decimal(pesewas) / 100) for pesewas in range(1, 10_001))
    return [amount for amount in amounts if not is_valid(json.loads(amount))]


for name in ("Amount", "Sum", "Fee"):
    schema = SCHEMAS[name]
    for library, validator in (
        ("jsonschema", jsonschema.Draft202012Validator(schema)),
        ("jsonschema-rs", jsonschema_rs.Draft202012Validator(schema)),
    ):
        refused = refused_amounts(validator.is_valid)
        if refused:
            sys.exit(f"{name}: {library} refuses {len(refused)} of 10000 valid amounts, such as {refused[0]}")
        wrong = [value for value in ("0.29", None, True) if validator.is_valid(value)]
        if wrong or (name == "Amount" and validator.is_valid(0)):
            sys.exit(f"{name}: {library} accepts what is no amount")
print("30000 amounts validated twice")
