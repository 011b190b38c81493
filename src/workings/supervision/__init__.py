"""Supervision: the programs, and the values of their steps, that give a known answer."""
