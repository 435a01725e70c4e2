"""How numbers are written, from the page Formats alone; ends with 1 where an example of formats.json comes out otherwise."""
import json
import sys
from pathlib import Path


def written(format, value):
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if format == "percent":
        return f"{value}%"
    if format == "time":
        hours, minutes, seconds = value // 3600, value // 60 % 60, value % 60
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    if format == "bytes":
        return shortened(value, (" B", " KB", " MB", " GB", " TB"))
    if format == "count":
        return shortened(value, ("", "K", "M", "B"))
    return str(value)


def shortened(value, units):
    whole, tenths, unit = max(0, value), 0, 0
    while whole >= 1000 and unit + 1 < len(units):
        tenths, whole, unit = whole % 1000 // 100, whole // 1000, unit + 1
    decimal = f".{tenths}" if unit and whole < 10 and tenths else ""
    return f"{whole}{decimal}{units[unit]}"


examples = json.loads(Path(__file__).with_name("formats.json").read_text())
wrong = [(example, text) for example in examples if (text := written(example["format"], example["value"])) != example["text"]]
for example, text in wrong:
    print(f"{example} came out as {text!r}", file=sys.stderr)
print(f"{len(examples)} examples")
sys.exit(1 if wrong else 0)
