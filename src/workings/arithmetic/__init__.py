"""Exact arithmetic: sorted operand lists, operations on them, and the search for signed sums."""
