"""Tests that fail today, each with the defect that it shows. Whoever mends one removes its line."""
EXPECTED = {
    "mirrors/undisturbed": "A stream over HTTP that has just begun may be told changes of a moment that its window is not of, or before it.",
    "mirrors/gateway killed": "The same, where a stream begins again.",
}
