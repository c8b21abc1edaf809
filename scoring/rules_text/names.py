"""What people call the presets and the fields of a ruleset, and what categories and naturals are."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

Names = Mapping[str, Any]
"""Lazy texts by key. Their type has a name only for the type checker's plugin, so it is left open here."""

PRESETS: Names = {
    "capsa": _("Capsa"),
    "chinese-2-4": _("Chinese 2-4"),
    "chinese-1-6": _("Chinese 1-6"),
    "points": _("Plain points"),
    "thirteen-water": _("Thirteen water"),
    "pusoy": _("Pusoy"),
}
PRESET_NOTES: Names = {
    "capsa": _("The Indonesian table: suits break every tie, super and PAO are dear, the room takes a fee."),
    "chinese-2-4": _("A point more for two rows. Rows can be tied, surrender is allowed."),
    "chinese-1-6": _("More points for a tembus. Rows can be tied, surrender is allowed."),
    "points": _("Rows and tembus only. Special hands and bonuses can be switched on."),
    "thirteen-water": _("Thirteen naturals and a super. A bonus stands in for the row’s point."),
    "pusoy": _("The Philippine table: more points for a tembus, a few naturals."),
}
SWITCHES: Names = {"special_hands": _("Special hands"), "bonuses": _("Bonuses")}

CATEGORY_NOTES: Names = {
    "high_card": _("none of these"),
    "pair": _("two cards of one rank"),
    "two_pair": _("two pairs"),
    "three_of_a_kind": _("three cards of one rank"),
    "straight": _("five ranks in a row"),
    "flush": _("five cards of one suit"),
    "full_house": _("three of one rank and a pair"),
    "four_of_a_kind": _("four cards of one rank"),
    "straight_flush": _("five ranks in a row, all of one suit"),
    "royal_flush": _("10-J-Q-K-A of one suit"),
}

NATURAL_NOTES: Names = {
    "clean_dragon": _("ace to king, all of one suit"),
    "dragon": _("all thirteen ranks"),
    "twelve_royals": _("at least twelve jacks, queens, kings and aces"),
    "three_straight_flushes": _("every row a straight flush; in front three suited cards in a row"),
    "three_quads": _("three fours of a kind and one card"),
    "all_high": _("nothing below the eight"),
    "all_low": _("nothing above the eight"),
    "one_colour": _("only red cards or only black ones"),
    "four_triples": _("four threes of a kind and one card; a four of a kind holds a triple"),
    "five_pairs_and_triple": _("five pairs and three of a kind"),
    "six_pairs": _("six pairs and one card, which may match a pair"),
    "three_flushes": _("every row of one suit"),
    "three_straights": _("every row a straight; in front three ranks in a row"),
}

FIELDS: Names = {
    "ties": _("Equal rows"),
    "kickers": _("Kickers count"),
    "flush_by_suit": _("Flushes compare by suit first"),
    "wheel": _("A-2-3-4-5"),
    "row_points": _("Points of a row"),
    "majority_bonus": _("Extra for two rows or three"),
    "tembus_multiplier": _("A tembus multiplies the rows by"),
    "tembus_bonus": _("Extra for a tembus"),
    "super_multiplier": _("A super multiplies the rows by"),
    "super_players": _("Players needed for a super"),
    "pao_multiplier": _("PAO multiplies the rows by"),
    "bonuses": _("Bonuses by row"),
    "bonus_rule": _("Who gets a bonus"),
    "bonus_replaces_row": _("A bonus stands in for the row’s point"),
    "bonus_multiplied": _("Bonuses are multiplied too"),
    "bonus_declared": _("Bonuses must be announced"),
    "bonus_limit": _("Only one bonus a hand"),
    "bonus_broken": _("Broken bonuses count"),
    "naturals": _("Naturals"),
    "quads_are_two_pairs": _("Four of a kind counts as two pairs"),
    "surrender_points": _("Surrender costs"),
    "room_fee_percent": _("Room fee, percent"),
    "room_fee_basis": _("The room fee is taken"),
}

CHOICES: Mapping[str, Names] = {
    "ties": {"split": _("a tie"), "suits": _("decided by suit")},
    "wheel": {"lowest": _("lowest straight"), "second": _("second-highest straight"), "none": _("no straight")},
    "bonus_rule": {
        "winner": _("the winner of the row"),
        "cancel": _("the winner, but two bonuses cancel each other"),
        "difference": _("everybody his own"),
    },
    "room_fee_basis": {"round": _("in every round"), "session": _("at settle-up")},
}


def preset_name(preset: str) -> str:
    """The preset as people call it. One that was only added to presets.toml goes by its own key."""
    return str(PRESETS.get(preset) or preset.replace("-", " ").capitalize())


def switch_name(switch: str) -> str:
    """A switch of a preset as people call it; see `preset_name`."""
    return str(SWITCHES.get(switch) or switch.replace("_", " ").capitalize())
