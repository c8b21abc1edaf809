"""The form that brings a club in as a file."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from scoring.club_file import MOST_BYTES, ImportedClub, RefusedError, import_club


class ImportForm(forms.Form):
    """The file of a club, to be made a club of `owner`."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("The .json file that “Everything as one file” gave you."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        error_messages={"empty": _("This file is empty.")},
    )
    again = forms.BooleanField(
        label=_("Import it even if I host this club here already"),
        help_text=_("It is then there twice, and the two know nothing of each other."),
        required=False,
    )

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.owner = owner

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            sizes = {"most": filesizeformat(MOST_BYTES), "size": filesizeformat(file.size or 0)}
            text = _(
                "Files of up to %(most)s are taken here, this one has %(size)s. Larger ones: manage.py import_club."
            )
            raise forms.ValidationError(text, params=sizes)
        return file

    def save(self) -> ImportedClub | None:
        """The club that the file holds; None where the file is not taken, and then the form says why."""
        try:
            return import_club(self.cleaned_data["file"].read(), self.owner, again=self.cleaned_data["again"])
        except RefusedError as error:
            self.add_error("file", forms.ValidationError(_("Nothing was imported. %(why)s"), params={"why": error}))
            return None
