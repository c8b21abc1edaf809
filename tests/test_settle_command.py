"""`manage.py settle`: balances in, transfers out, and one line that names the field for whatever is wrong."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

EVENING = {"balances": {"Ana": 400, "Budi": -300, "Citra": -100, "Dewi": 0}}
TRANSFERS = [{"from": "Budi", "to": "Ana", "amount": 300}, {"from": "Citra", "to": "Ana", "amount": 100}]
MANAGE = Path(__file__).parent.parent / "manage.py"


@pytest.fixture
def settle(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command on some text and gives what it printed."""

    def run(text: str | bytes, *options: str) -> str:
        typed = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed)))
        printed = io.StringIO()
        call_command("settle", *options, stdout=printed)
        return printed.getvalue()

    return run


def test_the_fewest_transfers(settle: Any) -> None:
    assert json.loads(settle(json.dumps(EVENING))) == {"transfers": TRANSFERS, "proven_minimal": True}


def test_amounts_beyond_64_bits(settle: Any) -> None:
    amount = 3 * 10**40
    answer = json.loads(settle(json.dumps({"balances": {"Ana": amount, "Budi": -amount}})))
    assert answer["transfers"] == [{"from": "Budi", "to": "Ana", "amount": amount}]


@pytest.mark.parametrize("name", ["", "Zoë ♠", "\ud800", 'a"b\n', "​", "x" * 60], ids=ascii)
def test_names_come_back_as_they_were(settle: Any, name: str) -> None:
    answer = json.loads(settle(json.dumps({"balances": {name: 1, "Budi": -1}})))
    assert answer["transfers"][0]["to"] == name


def test_no_balances_no_transfers(settle: Any) -> None:
    assert json.loads(settle('{"balances": {}}')) == {"transfers": [], "proven_minimal": True}


def test_a_byte_order_mark_does_no_harm(settle: Any) -> None:
    assert json.loads(settle(b"\xef\xbb\xbf" + json.dumps(EVENING).encode()))["transfers"] == TRANSFERS


BAD = [
    pytest.param('{"balances": {"Ana": 400, "Budi": -300}}', "balances: they sum to +100", id="too much"),
    pytest.param('{"balances": {"Ana": 4, "Budi": -300}}', "balances: they sum to -296", id="too little"),
    pytest.param('{"balances": {"Ana": 1.5, "Budi": -1.5}}', "balances['Ana']", id="half a unit"),
    pytest.param('{"balances": {"Ana": 4.0, "Budi": -4}}', "balances['Ana']", id="a float"),
    pytest.param('{"balances": {"Ana": true, "Budi": -1}}', "balances['Ana']", id="true is no number"),
    pytest.param('{"balances": {"Ana": "4", "Budi": -4}}', "balances['Ana']", id="a number in quotes"),
    pytest.param('{"balances": {"Ana": null}}', "balances['Ana']", id="null"),
    pytest.param('{"balances": {"Ana": [[]]}}', "balances['Ana']", id="a list"),
    pytest.param('{"balances": {"A\\nB": "\\n"}}', "balances['A", id="line breaks"),
    pytest.param('{"balances": {"Ana": NaN}}', "NaN", id="NaN"),
    pytest.param('{"balances": {"Ana": -Infinity}}', "-Infinity", id="infinity"),
    pytest.param('{"balances": {"Ana": 1e999}}', "1e999", id="1e999"),
    pytest.param('{"balances": {"Ana": 1' + "0" * 5000 + "}}", "input: 1000", id="5000 digits"),
    pytest.param('{"balances": {"Ana": 4, "Budi": -4, "Ana": 4}}', "'Ana': given twice", id="a name twice"),
    pytest.param('{"balances": {}, "balances": {}}', "'balances': given twice", id="a field twice"),
    pytest.param('{"balances": [400, -400]}', "balances: expected an object", id="balances as a list"),
    pytest.param('{"balances": null}', "balances: expected an object", id="balances null"),
    pytest.param("{}", "balances: expected an object", id="no balances"),
    pytest.param('{"balances": {}, "stake": 5}', "'stake': there is no such field", id="unknown field"),
    pytest.param("[]", "input: expected a JSON object", id="a list"),
    pytest.param('"balances"', "input: expected a JSON object", id="a text"),
    pytest.param("Ana 400", "input: not JSON", id="no JSON"),
    pytest.param("", "input: not JSON", id="nothing"),
    pytest.param('{"balances": {"Ana": 1, "Budi": -1}} {}', "input: not JSON", id="two objects"),
    pytest.param(b'{"balances": {"\xff": 0}}', "input: not UTF-8", id="not UTF-8"),
    pytest.param('{"balances": ' + "[" * 100_000, "input: nested too deeply", id="nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_input_is_one_line_that_names_the_field(settle: Any, text: str | bytes, message: str) -> None:
    with pytest.raises(CommandError) as caught:
        settle(text)
    assert caught.value.returncode == 2
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(("text", "message"), BAD)
def test_with_lines_it_goes_on_after_bad_input(settle: Any, text: str | bytes, message: str) -> None:
    bad = text if isinstance(text, bytes) else text.encode()
    good = json.dumps(EVENING).encode()
    answers = [json.loads(line) for line in settle(b"\n".join([good, bad, good]), "--lines").splitlines()]
    assert [answer.get("transfers") for answer in answers] == [TRANSFERS, None, TRANSFERS]
    assert message in answers[1]["error"]


def test_with_lines_nothing_gives_nothing(settle: Any) -> None:
    assert settle("", "--lines") == ""


def test_exit_status_and_streams(clean_environment: dict[str, str]) -> None:
    def run(text: str, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(MANAGE), "settle", *options]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False, env=clean_environment)

    good = run(json.dumps(EVENING))
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["transfers"] == TRANSFERS
    bad = run('{"balances": {"Ana": 1}}')
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.endswith("balances: they sum to +1 instead of 0; take 1 off\n")
    assert bad.stderr.count("\n") == 1
    lines = run('{"balances": {"Ana": 1}}\n', "--lines")
    assert (lines.returncode, lines.stderr) == (0, "")
