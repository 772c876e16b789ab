"""What the tests of all clients share: the emulator's address and credentials, and patience."""

import json
import os
import time

import pytest

NUMBER = "233241234567"
"""Every payment from this number succeeds, and every payout to it."""
POOR_NUMBER = "233241230001"
"""The wallet does not have the money."""


def eventually(read, is_reached):
    """Reads until the result is the expected one. Outcomes come after 0.1 s: the emulator runs 20 times as fast."""
    deadline = time.monotonic() + 20
    while not is_reached(result := read()):
        assert time.monotonic() < deadline, result
        time.sleep(0.02)
    return result


@pytest.fixture(scope="session")
def mtn():
    return json.loads(os.environ["EMULATOR_OPERATORS"])["mtn"]


@pytest.fixture(scope="session")
def paystack():
    return json.loads(os.environ["EMULATOR_OPERATORS"])["paystack"]


@pytest.fixture(scope="session")
def new_mtn_platform():
    """The address of MTN's new platform, and the credentials that its README documents."""
    credentials = {"user_id": "ZW11bGF0b3IgdXNlcg==", "credential_token": "emulatorcredentialtoken000000001"}
    return os.environ["EMULATOR"] + "/mtn-momo-new", credentials
