"""Judges arguments with Python's `jsonschema` and prints why each is refused.

Each line of stdin is a schema with arguments (JSON). Each line of stdout answers one: for each argument the keywords
that refuse it, with their text where they have one; an empty list where it is accepted. It compares nothing.
"""

import json
import sys

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import validator_for


def refused(validator, value):
    errors = validator.iter_errors(value)
    return [[error.validator, error.validator_value if isinstance(error.validator_value, str) else None] for error in errors]


def main():
    sys.setrecursionlimit(10_000)
    for line in sys.stdin.buffer:
        judged = json.loads(line)
        schema = judged["schema"]
        validator = validator_for(schema, default=Draft202012Validator)(schema, format_checker=FormatChecker())
        print(json.dumps([refused(validator, case["value"]) for case in judged["cases"]]))


main()
