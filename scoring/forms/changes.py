"""What every form that changes an evening has in common: it refuses to undo what somebody else did meanwhile."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from scoring.ledger import LedgerError, StaleError
from scoring.models import Session


class SessionForm(forms.Form):
    """A form that changes an evening.

    Its page carries the session's `version` and, as `drawn`, what the form showed. A write by somebody else in between
    is told and nothing is overwritten, unless it left alone what the form shows: rounds go on while stakes are typed.
    """

    def __init__(self, data: Any = None, *, session: Session, initial: Mapping[str, object]) -> None:
        self.session = session
        super().__init__(data, initial=dict(initial))

    # Three things that every such form says for itself; there is nothing that would hold for all of them.

    def shown(self) -> dict[str, str]:
        """What the form shows of the session, by stable keys, so that two moments can be compared."""
        raise NotImplementedError

    def told(self, key: str, value: str) -> str:
        """A change by somebody else as a sentence: `key` of `shown` has become `value`, "" where it is gone."""
        raise NotImplementedError

    def write(self, user: User) -> None:
        """Put what was typed into the session, which is locked, and into its log; `save` counts the version."""
        raise NotImplementedError

    def label_of(self, key: str) -> str:
        """What the form calls one of `shown`; the page may send back keys of any kind."""
        return str(self.fields[key].label) if key in self.fields else key

    @property
    def drawn(self) -> str:
        """`shown` as the page carries it."""
        return urlencode(self.shown())

    def save(self, user: User) -> None:
        """Change the session on behalf of `user`.

        Raises:
            StaleError: somebody changed meanwhile what the form showed; the message tells what.
            LedgerError: the session is closed, or the change is not allowed just now.
        """
        with transaction.atomic():
            sessions = Session.objects.select_for_update(of=("self",)).select_related("club")
            self.session = sessions.get(pk=self.session.pk)
            if not self.session.is_open:
                raise LedgerError(_("This session is closed. Reopen it to change anything."))
            self._refuse_stale()
            self.write(user)
            Session.objects.filter(pk=self.session.pk).update(version=F("version") + 1)

    def _refuse_stale(self) -> None:
        if self.data.get("version") == str(self.session.version):
            return
        before, now = dict(parse_qsl(self.data.get("drawn", ""), keep_blank_values=True)), self.shown()
        changed = [key for key in {**before, **now} if before.get(key, "") != now.get(key, "")]
        if changed:
            told = " ".join(self.told(key, now.get(key, "")) for key in changed)
            text = _(
                "Somebody else changed this meanwhile. %(changes)s Nothing of yours was saved: look, then save again."
            )
            raise StaleError(text % {"changes": told})
