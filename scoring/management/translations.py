"""Turns the translators' .po files into the .mo files that Django reads, without GNU gettext."""

import re
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings

# What code fills in: %(name)s and {name}. A translation that loses or invents one shows a wrong text or none.
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w*\}")


def catalogs() -> list[Path]:
    """Every .po file of the site."""
    return sorted(file for folder in settings.LOCALE_PATHS for file in Path(folder).glob("*/LC_MESSAGES/*.po"))


def compiled(source: Path) -> Path:
    """Where the compiled form of `source` belongs."""
    return source.with_suffix(".mo")


def is_stale(source: Path) -> bool:
    """Whether `source` is newer than its compiled form, or has none."""
    return not compiled(source).exists() or compiled(source).stat().st_mtime_ns < source.stat().st_mtime_ns


def read_catalog(source: Path) -> Catalog:
    """The catalog in `source`; `PoFileError` where it is none."""
    with source.open("rb") as file:
        return read_po(file, locale=source.parent.parent.name, abort_invalid=True)


def faults(catalog: Catalog) -> list[str]:
    """What is wrong in `catalog`, a line each. Fuzzy texts are faults: they would silently stay untranslated."""
    found = ["the header is marked fuzzy"] if catalog.fuzzy else []
    for message in catalog:
        if message.id:
            found += [f"line {message.lineno}: {fault}" for fault in _message_faults(message, catalog)]
    return found


def compile_catalog(catalog: Catalog, target: Path) -> None:
    """Write `catalog` where Django reads it. Written aside first: who reads meanwhile finds the old one whole."""
    draft = target.with_suffix(".draft")
    with draft.open("wb") as file:
        write_mo(file, catalog)
    draft.replace(target)


def _message_faults(message: Message, catalog: Catalog) -> list[str]:
    if message.fuzzy:
        return ["marked fuzzy"]
    found = [str(error) for error in message.check(catalog)]
    originals = _texts(message.id)
    for position, translation in enumerate(_texts(message.string or "")):
        # The singular may leave the number out ("one round"), and so may its translation.
        allowed = {frozenset(PLACEHOLDER.findall(text)) for text in (originals if position == 0 else originals[-1:])}
        if translation and frozenset(PLACEHOLDER.findall(translation)) not in allowed:
            found.append(f"placeholders differ: {originals[-1]!r} → {translation!r}")
    return found


def _texts(texts: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)
