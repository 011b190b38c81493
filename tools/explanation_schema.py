"""Prints the JSON schema of an explanation, for docs/explanation.schema.json: `make docs`."""

import json
import sys

from workings.explain.explanation import schema


def main() -> None:
    sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
