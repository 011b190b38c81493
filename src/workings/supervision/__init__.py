"""Supervision: the programs and values that can produce a known answer."""
