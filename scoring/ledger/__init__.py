"""The only writer of rounds, entries, lines and payments, and the place where balances are summed.

Every writer takes one transaction and first locks the row of the session, or of the club for its own book, so that what
it decides on cannot change under it; `book` tells the order. Amounts are minor units of the book's currency. Entries
are only ever added: what was wrong is reversed.
"""

from scoring.ledger.adjustments import GapError, record_adjustment, reverse_adjustment, split_equally
from scoring.ledger.all_paid import all_paid_key, record_all_paid, reverse_all_paid
from scoring.ledger.amend import (
    amend_round,
    bring_back,
    hands_of,
    preview_amendment,
    stakes_of,
)
from scoring.ledger.book import LARGEST_TOTAL, Book, ClubBook, LedgerError, StaleError, book_of, touch_open_sessions
from scoring.ledger.carry_over import (
    carried_over,
    carry_all_over,
    carry_over,
    standing_carry_over,
    take_back_carry_over,
    taken_back_after_payments,
)
from scoring.ledger.claims import CardTakenError
from scoring.ledger.direct import PairDebt
from scoring.ledger.hands import (
    HAND_FIELDS,
    OtherPhoneError,
    OtherWriterError,
    give_hand,
    keep_hand,
    lay_at_seat,
    move_hand,
    ready_hand,
    take_over_hand,
    unready_hand,
)
from scoring.ledger.payments import OverpaymentError, record_payment, reverse_payment
from scoring.ledger.rescore import Rescored, RoundsChangedError, Terms, rescore, rescored, rounds_key
from scoring.ledger.reveal import is_set, reveal_round
from scoring.ledger.rounds import (
    AmendedError,
    answer_row,
    discard_round,
    open_round,
    preview_round,
    record_round,
    reseat_round,
    restore_round,
    take_back_round,
    void_round,
)
from scoring.ledger.sessions import close_session, reopen_session
from scoring.ledger.sums import (
    Claim,
    Payment,
    Settlement,
    balances,
    fee_due,
    is_about,
    is_winning,
    list_payments,
    settlement,
    totals,
    won_before_fee,
)
from scoring.ledger.tallies import TallyCount, rebuild_tallies, rules_digest
from scoring.ledger.terms import Stakes, change_stakes, next_round, stakes_from, withdraw_stake
from scoring.ledger.versions import LaidHands, laid_fields

__all__ = [
    "HAND_FIELDS",
    "LARGEST_TOTAL",
    "AmendedError",
    "Book",
    "CardTakenError",
    "Claim",
    "ClubBook",
    "GapError",
    "LaidHands",
    "LedgerError",
    "OtherPhoneError",
    "OtherWriterError",
    "OverpaymentError",
    "PairDebt",
    "Payment",
    "Rescored",
    "RoundsChangedError",
    "Settlement",
    "Stakes",
    "StaleError",
    "TallyCount",
    "Terms",
    "all_paid_key",
    "amend_round",
    "answer_row",
    "balances",
    "book_of",
    "bring_back",
    "carried_over",
    "carry_all_over",
    "carry_over",
    "change_stakes",
    "close_session",
    "discard_round",
    "fee_due",
    "give_hand",
    "hands_of",
    "is_about",
    "is_set",
    "is_winning",
    "keep_hand",
    "laid_fields",
    "lay_at_seat",
    "list_payments",
    "move_hand",
    "next_round",
    "open_round",
    "preview_amendment",
    "preview_round",
    "ready_hand",
    "rebuild_tallies",
    "record_adjustment",
    "record_all_paid",
    "record_payment",
    "record_round",
    "reopen_session",
    "rescore",
    "rescored",
    "reseat_round",
    "restore_round",
    "reveal_round",
    "reverse_adjustment",
    "reverse_all_paid",
    "reverse_payment",
    "rounds_key",
    "rules_digest",
    "settlement",
    "split_equally",
    "stakes_from",
    "stakes_of",
    "standing_carry_over",
    "take_back_carry_over",
    "take_back_round",
    "take_over_hand",
    "taken_back_after_payments",
    "totals",
    "touch_open_sessions",
    "unready_hand",
    "void_round",
    "withdraw_stake",
    "won_before_fee",
]
