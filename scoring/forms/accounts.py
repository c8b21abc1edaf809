"""Forms of an account: making one, and a new password for it."""

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, UserCreationForm
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy as _

from scoring.names import NAME_LENGTH

LOGIN_NAME = _("Name to log in with")
# In our words: Django's own hint is a list, which cannot stand in a paragraph.
PASSWORD_HINT = _("At least 8 characters. Not digits only, nothing that many people use, nothing like your name.")


class AccountForm(UserCreationForm):
    """A name to log in with and a password, twice. It only checks them; `scoring.invitations` makes the account."""

    class Meta:
        model = User
        fields = ("username",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.label = LOGIN_NAME
        name.validators.append(MaxLengthValidator(NAME_LENGTH))
        name.help_text = _("Letters, digits and @ . + - _ only. Other hosts of your club see it.")
        _explain(self.fields["password1"], self.fields["password2"])

    def account(self) -> dict[str, str]:
        """What was entered, as the makers of accounts take it."""
        return {"username": self.cleaned_data["username"], "password": self.cleaned_data["password1"]}


class LoginForm(AuthenticationForm):
    """Name and password, called as where the account was made."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = LOGIN_NAME


class PasswordForm(PasswordChangeForm):
    """The old password and a new one, twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _explain(self.fields["new_password1"], self.fields["new_password2"])


def _explain(password: forms.Field, again: forms.Field) -> None:
    password.help_text = PASSWORD_HINT
    again.label, again.help_text = _("The same once more"), ""
