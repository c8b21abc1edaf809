"""A club in whose book stands everything that can."""

from collections.abc import Callable, Sequence
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction

from scoring import ledger, sharing
from scoring.change_log import log_change
from scoring.ledger.book import lock_session
from scoring.models import Change, Host, Player, Round, Seat, Session
from scoring.models.answers import Answer, row_as_text

TOLD = ("pair of As / flush hati / full house J 3", "pair of As / flush hati / straight 9")


def fill_book(session: Session, cast: Sequence[Player], rudi: User, siti: User, score: Callable[..., Round]) -> None:
    """A carried-over evening that siti set up, and an open one (`session`) with every kind of entry, stake and hand."""
    club = session.club
    Host.objects.create(club=club, user=siti)
    ana, budi, citra, dewi = cast
    _carried_over(session, cast, siti)
    session.place, session.notes = "Warung Bu Sri, Jl. Merdeka", "Rain.\n=1+1 ☔"
    session.save()
    with transaction.atomic():
        locked = lock_session(session.pk)
        ledger.change_stakes(locked, {(ana.pk, budi.pk): 50_000}, 1, rudi)
        ledger.change_stakes(locked, {None: 20_000, (citra.pk, dewi.pk): 30_000}, 40, rudi)
    board = sharing.share_board(session, rudi)
    sharing.revoke_link(board, siti)
    sharing.share_board(session, rudi)
    sharing.share_seats(session, rudi)
    score()
    ledger.void_round(score(), siti, "Entered twice")
    ledger.restore_round(ledger.void_round(score(), rudi), rudi)
    ledger.amend_round(ledger.amend_round(score(), rudi, "Misread"), siti, "Misread again")
    ledger.record_adjustment(session, {ana.pk: -30_000, budi.pk: 30_000}, "Drinks, 2 × teh", uuid4(), rudi)
    settled = ledger.settlement(session)
    ledger.record_all_paid(session, ledger.all_paid_key(settled), rudi)
    ledger.reverse_all_paid(session, ledger.all_paid_key(settled), rudi)
    claim = ledger.settlement(session).claims[0]
    payer, payee = (session.seats.get(player=key).player if key else None for key in (claim.payer, claim.payee))
    ledger.record_payment(session, payer, payee, claim.open, uuid4(), siti)
    Player.objects.create(club=club, name="Eka 😀", retired_at=session.created_at)
    log_change(club, Change.Kind.PLAYER, "renamed", siti, old={"name": "Cita"}, new={"name": "Citra"})


def open_told_round(session: Session, cast: Sequence[Player], lay: Callable[[Round, Sequence[str]], None]) -> Round:
    """Leave a round open in `session`: two rows told in words that the host decides, and somebody taken out of it."""
    ana, budi, citra, _dewi = cast
    round_ = ledger.open_round(session, [ana, budi, citra])
    lay(round_, (*TOLD, "2s 3s 4s / 5s 6s 7s 8s 9s / Ts Js"))
    ledger.reseat_round(round_, [ana, budi])
    told = [row_as_text(hand.as_input(round_.ruleset), "middle") for hand in round_.hands.order_by("position")]
    return ledger.answer_row(round_, Answer("middle", ana.pk, budi.pk, 1, (told[0], told[1])))


def _carried_over(session: Session, cast: Sequence[Player], siti: User) -> None:
    evening = Session.objects.create(
        club=session.club,
        date="2026-11-19",
        currency="USD",
        stake=25,
        ruleset_fields=session.ruleset_fields,
        created_by=siti,
    )
    Seat.objects.bulk_create(
        Seat(session=evening, club=session.club, player=player, position=place) for place, player in enumerate(cast)
    )
    ana, budi, *_others = cast
    ledger.record_adjustment(evening, {ana.pk: -1234, budi.pk: 1234}, "An old debt", uuid4(), siti)
    ledger.close_session(evening, siti)
    ledger.carry_over(evening, siti)
