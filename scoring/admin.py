"""The tables, to be looked at only: the book is written by the ledger and by nobody else."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import ForeignKey
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):
    """Every column of a table and no way to change one."""

    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


for model in apps.get_app_config("scoring").get_models():
    columns = [field for field in model._meta.concrete_fields if field.get_internal_type() != "JSONField"]
    admin.site.register(
        model,
        ReadOnlyAdmin,
        list_display=[field.name for field in columns],
        list_select_related=[field.name for field in columns if isinstance(field, ForeignKey)],
    )
