"""Ports of this machine that no other process of these tests is given, for programs that have to be told theirs: a port that was free when somebody
looked is another's a moment later. Tests/TestSupport/Ports.swift is the same for tests in Swift.

There are a thousand blocks of twenty ports, below those that the kernel gives to clients. A block is of the process that holds the lock of its file,
until that process ends, however it does.

usage: port=$(ports.py COUNT PROCESS)   the first of so many in a row; they are kept until that process ends
"""
import fcntl
import os
import random
import select
import socket
import sys
import threading

FIRST, BLOCKS, SIZE = 12_000, 1_000, 20
FOLDER = f"/tmp/forme-ports-{os.getuid()}"
# Locks of our blocks, which end with this process, and ports of the newest of them that were not given away.
held, left = [], []
giving = threading.Lock()


def is_free(port):
    """Whether nobody listens there, at any address: somebody else may know nothing of blocks."""
    with socket.socket() as own:
        try:
            own.bind(("", port))
            return True
        except OSError:
            return False


def take_block():
    """The ports of a block that is ours from now on, but for those that somebody has."""
    os.makedirs(FOLDER, mode=0o700, exist_ok=True)
    for block in random.sample(range(BLOCKS), BLOCKS):
        lock = open(f"{FOLDER}/{block}", "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        held.append(lock)
        first = FIRST + block * SIZE
        return [port for port in range(first, first + SIZE) if is_free(port)]
    raise OSError(f"all blocks of {FOLDER} are taken")


def row(count):
    """The first of so many ports in a row, each of which is given once."""
    with giving:
        while True:
            while len(left) >= count:
                first = left.pop(0)
                if left[:count - 1] == list(range(first + 1, first + count)):
                    del left[:count - 1]
                    return first
            left[:] = take_block()


def port():
    return row(1)


def main(count, process):
    # Before the lock is there, so that nothing is missed.
    watched = os.pidfd_open(process)
    print(row(count), flush=True)
    if os.fork() == 0:
        # Whoever reads what is printed waits until nobody can print.
        os.close(1)
        select.select([watched], [], [])


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
