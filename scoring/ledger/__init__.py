"""The only writer of rounds, entries, lines and payments, and the place where balances are summed.

Every writer takes one transaction and locks the session's row first, so that what it decides on cannot change under it.
Amounts are minor units of the session's currency. Entries are only ever added: what was wrong is reversed.
"""

from scoring.ledger.amend import LaidHands, amend_round, bring_back, hands_of, preview_amendment, stakes_of
from scoring.ledger.book import LARGEST_TOTAL, Book, ClubBook, LedgerError, StaleError, book_of, touch_open_sessions
from scoring.ledger.claims import CardTakenError
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
from scoring.ledger.sums import Claim, Payment, Settlement, fee_due, is_settling, settlement, totals

__all__ = [
    "HAND_FIELDS",
    "LARGEST_TOTAL",
    "AmendedError",
    "Book",
    "CardTakenError",
    "Claim",
    "ClubBook",
    "LaidHands",
    "LedgerError",
    "OtherPhoneError",
    "OtherWriterError",
    "OverpaymentError",
    "Payment",
    "Settlement",
    "StaleError",
    "amend_round",
    "answer_row",
    "book_of",
    "bring_back",
    "close_session",
    "discard_round",
    "fee_due",
    "give_hand",
    "hands_of",
    "is_set",
    "is_settling",
    "keep_hand",
    "lay_at_seat",
    "move_hand",
    "open_round",
    "preview_amendment",
    "preview_round",
    "ready_hand",
    "record_payment",
    "record_round",
    "reopen_session",
    "reseat_round",
    "restore_round",
    "reveal_round",
    "reverse_payment",
    "settlement",
    "stakes_of",
    "take_back_round",
    "take_over_hand",
    "totals",
    "touch_open_sessions",
    "unready_hand",
    "void_round",
]
