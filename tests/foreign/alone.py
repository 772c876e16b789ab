"""Runs a command beside an emulator, in a place without another network.

The clients here were written for the real operators. One whose base URL is not replaced must fail instead of reaching
an operator, so the command and the emulator run in a network namespace of their own that has loopback alone: no route,
and no name server. A proxy that the environment names would be out of reach too, and is forgotten.

Root may make such a namespace. Anybody else gets it in a user namespace, which Debian permits; a container may forbid
both, and then nothing is run.

    python alone.py TUA COMMAND…

The command finds the emulator's origin in EMULATOR, and its credentials, as JSON, in EMULATOR_OPERATORS.
"""

import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import tomllib

CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
SIOCGIFFLAGS = 0x8913
SIOCSIFFLAGS = 0x8914
IFF_UP = 1

ADDRESS = "127.0.0.1:9100"
"""Nothing else listens in a new namespace."""


def leave_the_network() -> None:
    """Moves this process, and those that it starts, to a network of their own."""
    flags = CLONE_NEWNET if os.geteuid() == 0 else CLONE_NEWNET | CLONE_NEWUSER
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        sys.exit(f"unshare: {os.strerror(ctypes.get_errno())}; the clients need a network namespace of their own")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:
        request = struct.pack("16sh14x", b"lo", 0)
        (interface, up) = struct.unpack("16sh14x", fcntl.ioctl(loopback, SIOCGIFFLAGS, request))
        fcntl.ioctl(loopback, SIOCSIFFLAGS, struct.pack("16sh14x", interface, up | IFF_UP))


def main(tua: str, *command: str) -> int:
    leave_the_network()
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        del os.environ[name]
    printed = subprocess.run([tua, "emulate", "--print-config", "--listen", ADDRESS], capture_output=True, check=True)
    operators = tomllib.loads(printed.stdout.decode())["operators"]
    emulator = subprocess.Popen(
        [tua, "emulate", "--listen", ADDRESS, "--speed", "20", "--json"], stdout=subprocess.PIPE
    )
    try:
        if not emulator.stdout.readline():
            sys.exit("the emulator does not start")
        places = {"EMULATOR": f"http://{ADDRESS}", "EMULATOR_OPERATORS": json.dumps(operators)}
        return subprocess.run(command, env=os.environ | places, check=False).returncode
    finally:
        emulator.kill()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
