"""Patches that bring old defects back still apply, so that `deploy/blackbox --planted` can try them."""
from cases import case
from service import Trouble


@case("patches/still apply", short=0, long=0)
def _(run):
    import planted
    found = planted.patches()
    faults = {patch.name: fault for patch in found if (fault := patch.fault())}
    if faults or len(found) < 10:
        raise Trouble(f"{len(faults)} of {len(found)} patches: {faults}")
    return f"{len(found)} patches"
