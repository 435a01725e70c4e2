"""What Ingest.md says of reactions, told once more: registers of single readers beside those of a backend, and their sum."""


class Said:
    """All that was said to one message, and what every further event must be answered."""

    def __init__(self):
        self.whole = (0, [])  # revision, list
        self.readers = {}  # (reader, "emoji" or "options"): (revision, set)

    def react(self, revision, react):
        """What `react` must be answered; it is taken in where it is new."""
        newer, answers = {}, set()
        for field in ("emoji", "options"):
            if field not in react:
                continue
            known, said = self.readers.get((react["reader"], field)), (revision, frozenset(react[field]))
            if known is None or known[0] < revision:
                newer[react["reader"], field] = said
            elif known[0] == revision:
                answers.add("duplicate" if known == said else "invalid")
            else:
                answers.add("superseded")
        if "invalid" in answers:
            return "invalid"
        self.readers.update(newer)
        return "accepted" if newer else "duplicate" if answers == {"duplicate"} else "superseded"

    def set(self, revision, reactions):
        if revision < self.whole[0]:
            return "superseded"
        if revision == self.whole[0]:
            return "duplicate" if self.whole[1] == reactions else "invalid"
        self.whole = (revision, reactions)
        return "accepted"

    def total(self):
        """{(field, emoji or option): (count, names)} as readers are to be told it."""
        found = {("emoji", each["emoji"]): (each.get("count", 1), frozenset(each.get("by", ()))) for each in self.whole[1]}
        counted = {key: names for key, (_, names) in found.items()}
        for (reader, field), (_, said) in sorted(self.readers.items()):
            for one in said:
                key = (field.removesuffix("s"), one)
                count, names = found.get(key, (0, frozenset()))
                found[key] = (count + (reader not in counted.get(key, ())), names | {reader})
        return found


def told(said):
    """The same of what a row says; said twice is a fault."""
    found = {}
    for each in (said or {}).get("reactions") or []:
        key = ("emoji", each["emoji"]) if "emoji" in each else ("option", each["option"])
        if key in found:
            raise AssertionError(f"{key} is there twice: {said['reactions']}")
        found[key] = (each.get("count", 1), frozenset(each.get("by", ())))
    return found
