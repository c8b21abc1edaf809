"""`manage.py settle`: who pays whom, with the fewest transfers, from balances in JSON."""

from typing import Any

from scoring.engine.settle import settle
from scoring.management.json_lines import JsonLinesCommand


class Command(JsonLinesCommand):
    help = 'Reads {"balances": {"Ana": 400, "Budi": -400}} from standard input and prints the fewest transfers.'

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        plan = settle(_balances(request))
        return {
            "transfers": [
                {"from": transfer.payer, "to": transfer.payee, "amount": transfer.amount} for transfer in plan.transfers
            ],
            "proven_minimal": plan.proven_minimal,
        }


def _balances(request: dict[str, Any]) -> dict[str, int]:
    for field in request:
        if field != "balances":
            raise ValueError(f"{field!r}: there is no such field; expected balances")
    balances = request.get("balances")
    if not isinstance(balances, dict):
        raise ValueError('balances: expected an object of names and whole numbers, such as {"Ana": 400, "Budi": -400}')
    return balances
