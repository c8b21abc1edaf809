"""Forms of a club: making one, and its settings."""

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.change_log import log_change, log_differences
from scoring.engine.rules import PRESETS
from scoring.forms.amounts import AmountField
from scoring.forms.names import NameField
from scoring.ledger import touch_open_sessions
from scoring.models import Change, Club, Host
from scoring.money import CURRENCIES
from scoring.rules_text.names import PRESET_NOTES, preset_name

# Where most tables stand; the rest of the world follows in the list.
NEAR_ZONES = (
    *("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura", "Asia/Kuala_Lumpur", "Asia/Singapore", "Asia/Manila"),
    *("Asia/Taipei", "Asia/Shanghai", "Asia/Hong_Kong", "Europe/Madrid"),
)


class ClubForm(forms.ModelForm):
    """Name, money and time of a club. The stake is read in the currency chosen beside it."""

    name = NameField(label=_("Name of the club"))

    class Meta:
        model = Club
        fields = ("name", "currency", "stake", "time_zone")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.data.get(self.add_prefix("currency"), "")
        # For a new club no stake is proposed: what a point is worth is a decision.
        self.fields["stake"] = AmountField(
            label=_("Stake of a point"),
            help_text=_(
                "What a new evening starts with: 10.000, 10rb or 0.50. "
                "Where no money is played for, choose points as the currency and enter 1."
            ),
            currency=chosen if chosen in CURRENCIES else self.instance.currency,
        )
        self.fields["time_zone"] = forms.ChoiceField(
            label=_("Time zone"),
            help_text=_("Decides which day an evening belongs to."),
            choices=_zones(self.instance.time_zone),
            initial=self.instance.time_zone,
        )
        if self.instance.pk:
            self.fields["currency"].help_text = _("For evenings from now on. Past ones keep the currency they had.")

    def save_for(self, user: User) -> Club:
        """The club as `user` wants it."""
        with transaction.atomic():
            before = _settings(Club.objects.select_for_update(no_key=True).get(pk=self.instance.pk))
            club: Club = self.save()
            log_differences(club, Change.Kind.CLUB, user, before, _settings(club))
            touch_open_sessions(club)
        return club


class NewClubForm(ClubForm):
    """A club to be made: also which preset its rules start from."""

    preset = forms.ChoiceField(
        label=_("Rules"),
        help_text=_("Every single rule can be changed later."),
        choices=lambda: [
            (preset, format_html("<b>{}</b><small>{}</small>", preset_name(preset), PRESET_NOTES.get(preset, "")))
            for preset in PRESETS
        ],
        widget=forms.RadioSelect,
        initial="capsa",
    )

    def save_for(self, user: User) -> Club:
        """The new club, owned by `user`."""
        self.instance.preset = self.cleaned_data["preset"]
        self.instance.ruleset = PRESETS[self.instance.preset]
        with transaction.atomic():
            club: Club = self.save()
            Host.objects.create(club=club, user=user, role=Host.Role.OWNER)
            log_new_club(club, user)
        return club


def log_new_club(club: Club, user: User) -> None:
    """Write down what a club starts with."""
    log_change(club, Change.Kind.CLUB, "created", user, new=_settings(club) | {"preset": club.preset})


def _settings(club: Club) -> dict[str, Any]:
    """What the log keeps of them."""
    return {field: getattr(club, field) for field in ClubForm.Meta.fields}


def _zones(current: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The choices of the time zone; `current` is among them whatever it is."""
    near = dict.fromkeys((current, *NEAR_ZONES))
    return [
        (gettext("Near"), [(zone, _zone_name(zone)) for zone in near]),
        (gettext("Everywhere"), [(zone, _zone_name(zone)) for zone in _all_zones() if zone not in near]),
    ]


@cache
def _all_zones() -> tuple[str, ...]:
    return ("UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/")))


def _zone_name(zone: str) -> str:
    return zone.replace("_", " ")
