"""Tests that fail today, each with the defect that it shows. Whoever mends one removes its line."""
EXPECTED = {}
