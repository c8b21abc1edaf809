"""Forms of the players of a club: adding many at once, and renaming one."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from scoring.change_log import log_change
from scoring.forms.names import NameField, NamesField, save_names
from scoring.ledger import touch_open_sessions
from scoring.models import Change, Club, Player
from scoring.names import name_key


class PlayersForm(forms.Form):
    """New players, many at once."""

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        self.fields["names"] = NamesField(
            club=club, label=_("New players"), help_text=_("One name a line, or parted by commas.")
        )

    def save_for(self, user: User) -> bool:
        """Whether the players were added: all of them, or none where a name was taken since the form was checked."""
        return save_names(self, lambda: self._add(user))

    def _add(self, user: User) -> None:
        names = self.cleaned_data["names"]
        Player.objects.bulk_create(Player(club=self.club, name=name, name_key=name_key(name)) for name in names)
        log_change(self.club, Change.Kind.PLAYER, "added", user, new={"names": names})


class RenameForm(forms.ModelForm):
    """Another name for a player."""

    name = NameField(label=_("Name"))

    class Meta:
        model = Player
        fields = ("name",)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        namesakes = Player.objects.filter(club_id=self.instance.club_id, name_key=name_key(name))
        other = namesakes.exclude(pk=self.instance.pk).first()
        if other:
            raise forms.ValidationError(_("“%(name)s” is taken by %(other)s."), params={"name": name, "other": other})
        return name

    def save_for(self, user: User) -> bool:
        """Whether the player has the name now; not where somebody took it since the form was checked."""
        return save_names(self, lambda: self._rename(user))

    def _rename(self, user: User) -> None:
        player = self.instance
        before = Player.objects.select_for_update(no_key=True).get(pk=player.pk).name
        self.save()
        if before != player.name:
            log_change(
                player.club, Change.Kind.PLAYER, "renamed", user, old={"name": before}, new={"name": player.name}
            )
        touch_open_sessions(player.club)
