"""What every refusal of the engine has in common: a sentence with named parts, so that it can be translated later."""

from reprlib import repr as short_repr
from typing import Any


def gettext_noop(message: str) -> str:
    """Mark a message for translation without translating it: the engine speaks English, the pages do not."""
    return message


def shown(value: object) -> str:
    """What came in, short enough for a message. A number with thousands of digits cannot even be written out."""
    if isinstance(value, int) and value.bit_length() > 256:
        return "a number of more than 75 digits"
    return short_repr(value)


class ScoringError(ValueError):
    """Something the engine refuses. `message` is the untranslated sentence, `params` are its named parts."""

    def __init__(self, message: str, **params: Any) -> None:
        self.message = message
        self.params = params
        super().__init__(message % params)
