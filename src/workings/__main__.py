"""``python -m workings``."""

from workings.cli import main

main()
