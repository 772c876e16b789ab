"""For the tests of a shop: a service in test mode, and signed events. No network is needed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx

from .errors import TuaUsageError

_START_TIMEOUT = 20.0


class RunningService:
    """A service in test mode on a database of its own."""

    def __init__(self, program: str, folder: Path, port: int) -> None:
        self._program = program
        self._folder = folder
        self._database = f"sqlite://{folder / 'tua.db'}"
        self._port = port
        self._account_id = ""
        self.base_url = f"http://127.0.0.1:{port}/v1"
        """The API root, for the client."""
        self.secret_key = ""
        """A test key with all scopes, for the client."""

    def add_webhook(self, url: str) -> str:
        """Adds the address of a shop that runs, and returns the endpoint's secret."""
        added = self._run("webhook", "add", "--account", self._account_id, "--mode", "test", "--url", url)
        return str(added["secret"])

    def _start(self, speed: float) -> subprocess.Popen[bytes]:
        flags = ["--listen", f"127.0.0.1:{self._port}", "--database", self._database, "--sandbox-speed", f"{speed:g}"]
        try:
            return subprocess.Popen(
                [self._program, "serve", *flags],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise TuaUsageError(f"{self._program} does not start: {error.strerror}.") from error

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + _START_TIMEOUT
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if httpx.get(f"http://127.0.0.1:{self._port}/readyz").status_code == 200:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        raise TuaUsageError(f"{self._program} does not start, or is not ready in 20 seconds.")

    def _create_account(self) -> None:
        account = self._run("account", "create", "--name", "Test")
        self._account_id = account["accountId"]
        self.secret_key = account["keys"]["testV2"]

    def _run(self, *arguments: str) -> dict[str, Any]:
        command = [self._program, *arguments, "--database", self._database, "--json"]
        printed = subprocess.run(command, cwd=self._folder, check=True, capture_output=True).stdout
        result: dict[str, Any] = json.loads(printed)
        return result


@contextmanager
def running_service(*, program: str | None = None, speed: float = 20) -> Iterator[RunningService]:
    """Starts a service, and ends it with the block.

    `program` is the program tua: TUA_BIN where it is None, else `tua` on the path. `speed` is how many times as fast as
    usual the sandbox decides.
    """
    with tempfile.TemporaryDirectory(prefix="tua-") as folder:
        service = RunningService(program or os.environ.get("TUA_BIN") or "tua", Path(folder), _find_free_port())
        process = service._start(speed)
        try:
            service._wait_until_ready(process)
            service._create_account()
            yield service
        finally:
            process.terminate()
            process.wait()


@dataclass(frozen=True)
class SignedDelivery:
    """A delivery as the service sends it: pass both to the webhook's route."""

    body: bytes
    headers: dict[str, str]


def sign_delivery(secret: str, event: str | Mapping[str, Any], *, id: str = "msg_test") -> SignedDelivery:
    """Signs an event with the secret of an endpoint. `event` is the name of an example, or a body of your own."""
    body = json.dumps(example_event(event) if isinstance(event, str) else event).encode()
    timestamp = str(int(time.time()))
    signed = f"{id}.{timestamp}.".encode() + body
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    headers = {
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + base64.b64encode(digest).decode(),
        "content-type": "application/json",
    }
    return SignedDelivery(body, headers)


def example_event(type: str) -> dict[str, Any]:
    """The body of an example of an event, such as `checkout.paid`, as the OpenAPI document has it."""
    examples: dict[str, dict[str, Any]] = json.loads(files("tua_pay").joinpath("events.json").read_text("utf-8"))
    if type not in examples:
        raise TuaUsageError(f"There is no event {type}. There are {', '.join(examples)}.")
    return examples[type]


def _find_free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
