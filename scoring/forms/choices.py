"""A choice of several rows of a table."""

from typing import Any

from django import forms


class RowsField(forms.ModelMultipleChoiceField):
    """Rows by their keys. A key that no database could hold is refused like any other that is not offered."""

    def clean(self, value: Any) -> Any:
        try:
            return super().clean(value)
        except OverflowError as error:  # SQLite's, for an integer of more than 64 bits
            message = self.error_messages["invalid_choice"]
            raise forms.ValidationError(message, "invalid_choice", {"value": max(value, key=len)}) from error
