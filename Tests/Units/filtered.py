"""Becomes a program under the filter of system calls that a unit of systemd has.

usage: filtered.py UNIT PROGRAM [WORD...]

systemd-analyze says which calls a group has, and libseccomp, which systemd filters with, what their numbers are.
"""
import ctypes
import errno
import os
import subprocess
import sys

ALLOW, ERRNO = 0x7FFF0000, 0x00050000


def calls(word):
    """The system calls of a word of a unit: one call, or a group of calls and of other groups."""
    if not word.startswith("@"):
        return {word}
    told = subprocess.run(["systemd-analyze", "syscall-filter", word], capture_output=True, text=True, check=True)
    inner = [line.strip() for line in told.stdout.splitlines()[1:]]
    return set().union(*(calls(line) for line in inner if line and not line.startswith("#")))


def allowed(unit):
    """The calls that a unit leaves its program: the first line says that all others are refused."""
    left = set()
    for line in open(unit):
        name, _, value = line.strip().partition("=")
        if name != "SystemCallFilter":
            continue
        refused = value.startswith("~")
        assert left or not refused, f"{unit} begins with what it refuses"
        for word in value.removeprefix("~").split():
            left = left - calls(word) if refused else left | calls(word)
    return left


def main(unit, *command):
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    seccomp.seccomp_init.argtypes = [ctypes.c_uint32]
    seccomp.seccomp_rule_add.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint]
    seccomp.seccomp_load.argtypes = [ctypes.c_void_p]
    filter = seccomp.seccomp_init(ERRNO | errno.EPERM)
    for call in allowed(unit):
        number = seccomp.seccomp_syscall_resolve_name(call.encode())
        # A call of other processors has no number here.
        if number >= 0:
            assert seccomp.seccomp_rule_add(filter, ALLOW, number, 0) == 0, call
    assert seccomp.seccomp_load(filter) == 0
    os.execv(command[0], command)


main(*sys.argv[1:])
