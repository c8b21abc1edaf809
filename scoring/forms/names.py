"""Fields for names: one, or many in one text."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from scoring.models import Club
from scoring.names import NAME_LENGTH, clean_name, name_key

MOST_NAMES = 200
TOO_LONG = _("“%(name)s…” is too long: a name has at most %(most)s characters.")


class NameField(forms.CharField):
    """A name of 1 to NAME_LENGTH characters, cleaned of what nobody can see."""

    default_error_messages = {"required": _("Enter a name.")}

    def __init__(self, **kwargs: Any) -> None:
        # No maxlength on the control: browsers count emoji twice and would cut a name that is short enough.
        super().__init__(widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}), **kwargs)

    def to_python(self, value: Any) -> str:
        return clean_name(super().to_python(value) or "")

    def run_validators(self, value: str) -> None:
        super().run_validators(value)
        _refuse_too_long([value])


class NamesField(forms.CharField):
    """New names for `club`, one a line or parted by commas. Each clash is named; nothing of what was typed is lost."""

    default_error_messages = {"required": _("Enter at least one name.")}
    is_taken = _("“%(name)s” is taken: %(other)s plays in this club already.")
    is_retired = _("“%(name)s” is taken: %(other)s is retired. Take that player back instead.")
    reads_the_same = _("“%(name)s” and “%(other)s” read as one name. Tell them apart.")

    def __init__(self, *, club: Club, rows: int = 4, **kwargs: Any) -> None:
        self.club = club
        widget = forms.Textarea(attrs={"rows": rows, "autocomplete": "off", "dir": "auto"})
        super().__init__(widget=widget, **kwargs)

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]  # many names in one text
        text = super().to_python(value) or ""
        for mark in (",", "，", "、", ";"):
            text = text.replace(mark, "\n")
        return [name for line in text.splitlines() if (name := clean_name(line))]

    def run_validators(self, value: list[str]) -> None:
        if len(value) > MOST_NAMES:
            raise forms.ValidationError(_("At most %(most)s names at once."), params={"most": MOST_NAMES})
        _refuse_too_long(value)
        faults = [*self._repeated(value), *self._known(value)]
        if faults:
            raise forms.ValidationError(faults)

    def _repeated(self, names: list[str]) -> list[forms.ValidationError]:
        seen: dict[str, str] = {}
        faults = []
        for name in names:
            key = name_key(name)
            if key in seen:
                faults.append(forms.ValidationError(self.reads_the_same, params={"name": name, "other": seen[key]}))
            seen.setdefault(key, name)
        return faults

    def _known(self, names: list[str]) -> list[forms.ValidationError]:
        typed = {name_key(name): name for name in names}
        return [
            forms.ValidationError(
                self.is_retired if player.is_retired else self.is_taken,
                params={"name": typed[player.name_key], "other": player.name},
            )
            for player in self.club.players.filter(name_key__in=typed)
        ]


def _refuse_too_long(names: list[str]) -> None:
    faults = [
        forms.ValidationError(TOO_LONG, params={"name": name[:20], "most": NAME_LENGTH})
        for name in names
        if len(name) > NAME_LENGTH
    ]
    if faults:
        raise forms.ValidationError(faults)


def save_names(form: forms.BaseForm, save: Callable[[], object]) -> bool:
    """Whether `save` went through. Where somebody took a name a moment ago, the form says so and keeps all."""
    try:
        with transaction.atomic():
            save()
    except IntegrityError:
        form.full_clean()
    return not form.errors
