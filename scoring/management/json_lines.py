"""How the engine's commands read and answer: JSON on standard input and output (RULES 10)."""

import json
import math
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

MAX_DIGITS = 100


class DetailedError(ValueError):
    """A refusal of which programs can read more than its sentence: `details` stand beside it in the answer."""

    def __init__(self, message: str, details: dict[str, Any]) -> None:
        super().__init__(message)
        self.details = details


class JsonLinesCommand(BaseCommand):
    """A command that answers one JSON object from standard input, or with ``--lines`` one object per line.

    A subclass writes `answer(request) -> dict` and raises `ValueError` with a message that names the field.
    Bad input ends in one line on standard error and exit status 2; with ``--lines`` in ``{"error": …}`` on that line,
    and it goes on. The details of a `DetailedError` stand on standard output either way. Needs no database.
    """

    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--lines", action="store_true", help="one JSON object per line, in and out")

    def handle(self, *args: Any, lines: bool, **options: Any) -> None:
        if lines:
            for line in sys.stdin.buffer:
                self._print(self._answer_line(line))
            return
        try:
            reply = self._answer_text(sys.stdin.buffer.read())
        except ValueError as error:
            if isinstance(error, DetailedError):
                self._print(_refusal(error))
            raise CommandError(one_line(error), returncode=2) from error
        self._print(reply)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The reply to one request, or a `ValueError` that names the field."""
        raise NotImplementedError

    def _answer_line(self, line: bytes) -> dict[str, Any]:
        try:
            return self._answer_text(line)
        except ValueError as error:
            return _refusal(error)

    def _answer_text(self, text: bytes) -> dict[str, Any]:
        try:
            return self.answer(parse_object(text))
        except RecursionError as error:
            raise ValueError("input: nested too deeply") from error

    def _print(self, reply: dict[str, Any]) -> None:
        # ASCII only: a lone surrogate in a name, or a terminal without UTF-8, must not end in a traceback.
        self.stdout.write(json.dumps(reply))
        self.stdout.flush()


def _refusal(error: Exception) -> dict[str, Any]:
    details = error.details if isinstance(error, DetailedError) else {}
    return {"error": one_line(error)} | details


def one_line(error: Exception) -> str:
    """The error's text on one line, whatever its names contain."""
    return " ".join(str(error).split())


def parse_object(text: bytes) -> dict[str, Any]:
    """UTF-8 JSON text → its object. Raises `ValueError` for anything else.

    Stricter than `json.loads`: a key given twice, NaN, Infinity and numbers beyond any amount of money are refused.
    """
    try:
        value = json.loads(
            text.decode("utf-8-sig"),
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_int=_short_int,
            parse_float=_finite_float,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"input: not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"input: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ValueError(f"input: expected a JSON object, got {json.dumps(value)[:40]}")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique: dict[str, Any] = {}
    for key, value in pairs:
        if key in unique:
            raise ValueError(f"{key!r}: given twice in one object")
        unique[key] = value
    return unique


def _refuse_constant(name: str) -> None:
    raise ValueError(f"input: {name} is not a number")


def _short_int(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"input: {text[:20]}… is too large")
    return int(text)


def _finite_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"input: {text[:40]} is too large")
    return number
