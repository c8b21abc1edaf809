"""The tables, to be looked at only: the book is written by the ledger and by nobody else.

What nobody is to see is not here either: a hand that is hidden at its seat, and what opens a seat.
"""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import ForeignKey, Q, QuerySet
from django.http import HttpRequest

from scoring.models import Hand, Round

VEILED = Q(is_hidden=True, round__state=Round.State.OPEN, round__revealed_at=None)


class ReadOnlyAdmin(admin.ModelAdmin):
    """Every column of a table and no way to change one."""

    list_per_page = 50
    exclude = ("token", "set_aside", "device")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows.exclude(VEILED) if self.model is Hand else rows

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


for model in apps.get_app_config("scoring").get_models():
    fields = [field for field in model._meta.concrete_fields if field.name not in ReadOnlyAdmin.exclude]
    columns = [field for field in fields if field.get_internal_type() != "JSONField"]
    admin.site.register(
        model,
        ReadOnlyAdmin,
        list_display=[field.name for field in columns],
        list_select_related=[field.name for field in columns if isinstance(field, ForeignKey)],
    )
