"""The tables, to be looked at only: the book is written by the ledger and by nobody else."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db.models import ForeignKey, Model
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):
    """Every column of a table and no way to change one."""

    list_per_page = 50

    def __init__(self, model: type[Model], site: admin.AdminSite) -> None:
        super().__init__(model, site)
        columns = [field for field in model._meta.concrete_fields if field.get_internal_type() != "JSONField"]
        self.list_display = [field.name for field in columns]
        self.list_select_related = [field.name for field in columns if isinstance(field, ForeignKey)]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


admin.site.register(list(apps.get_app_config("scoring").get_models()), ReadOnlyAdmin)
