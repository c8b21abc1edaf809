"""Renaming, retiring and taking back a player."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.forms.players import RenameForm
from scoring.models import Player


def url(verb: str, player: Player) -> str:
    return reverse(f"player-{verb}", args=[player.pk])


@pytest.mark.parametrize("name", ["Ani", "ANA", "  Ana  Maria ", "Á"])
def test_rename(host: Client, ana: Player, name: str) -> None:
    response = host.post(url("rename", ana), {"name": name}, follow=True)
    ana.refresh_from_db()
    assert ana.name == " ".join(name.split())
    assert f"Ana is called {ana.name} now." in response.text
    assert host.post(url("rename", ana), {"name": name}).status_code == 302


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("budi", "“budi” is taken by Budi."),
        ("Bu\u200bdi", "“Budi” is taken by Budi."),
        ("", "Enter a name."),
        ("\u200b", "Enter a name."),
        ("x" * 61, "is too long"),
    ],
)
def test_a_bad_name_changes_nothing_and_is_kept(host: Client, ana: Player, name: str, message: str) -> None:
    response = host.post(url("rename", ana), {"name": name})
    assert response.status_code == 422
    assert message in response.text
    assert response.context["form"]["name"].value() == name
    ana.refresh_from_db()
    assert ana.name == "Ana"


def test_a_name_taken_at_the_last_moment_is_told(ana: Player, budi: Player, rudi: User) -> None:
    form = RenameForm({"name": "Eko"}, instance=ana)
    assert form.is_valid()
    budi.name = "eko"
    budi.save()
    assert not form.save_for(rudi)
    assert "taken by eko" in str(form.errors)


def test_retire_and_take_back(host: Client, ana: Player, session) -> None:
    new = reverse("session-new", args=[ana.club_id])
    assert "Ana" in host.get(new).text
    response = host.post(url("retire", ana), follow=True)
    assert "Ana is retired." in response.text and "Take back" in response.text
    assert ana not in host.get(new).context["form"].fields["players"].queryset
    assert ana in session.players.all()
    host.post(url("return", ana))
    assert ana in host.get(new).context["form"].fields["players"].queryset


def test_retiring_twice_keeps_the_first_day(host: Client, ana: Player) -> None:
    host.post(url("retire", ana))
    first = Player.objects.get(pk=ana.pk).retired_at
    host.post(url("retire", ana))
    assert Player.objects.get(pk=ana.pk).retired_at == first


@pytest.mark.parametrize("verb", ["rename", "retire", "return"])
def test_a_stranger_finds_nothing(stranger: Client, ana: Player, verb: str) -> None:
    assert stranger.post(url(verb, ana), {"name": "Eko"}).status_code == 404
    ana.refresh_from_db()
    assert (ana.name, ana.retired_at) == ("Ana", None)


@pytest.mark.parametrize("verb", ["retire", "return"])
def test_a_verb_is_no_page(host: Client, ana: Player, verb: str) -> None:
    assert host.get(url(verb, ana)).status_code == 405
