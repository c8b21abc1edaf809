"""`make bench`: what the engine takes, beside what others take, in one table.

Everything in a section is measured in the same run and in turns. A ratio under its target ends in exit status 1;
times are only printed beside their target, since they say as much about the machine.
"""

import random
import sys
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from scoring.engine.advisor import best_against, suggest
from scoring.engine.naturals import natural_detector
from scoring.engine.rounds import score_points, score_round
from scoring.engine.rules import parse_ruleset
from scoring.engine.settle import settle
from tests.benchmarks import deals, literal, peers
from tests.benchmarks.timing import medians, over

SEED = 52
MICRO = 1e6


class Line(NamedTuple):
    """One line of the table: seconds for one piece of work, how many times that is the rate of a peer, its target."""

    what: str
    seconds: float
    ratio: float | None = None
    least_ratio: float | None = None
    most_seconds: float | None = None
    peer: str = "treys"


def whole_rounds() -> Iterator[Line]:
    """Four players, from parsed cards, with order check and bonuses; only ours look for naturals too."""
    tables = deals.deal_tables(200, peers.RULES, random.Random(SEED))
    for_treys = [peers.for_treys(table) for table in tables]
    for_phevaluator = [peers.for_phevaluator(table) for table in tables]
    treys, phevaluator = peers.treys_scorer(), peers.phevaluator_scorer()
    for table, one, other in zip(tables, for_treys, for_phevaluator, strict=True):
        if not list(score_points(table, peers.RULES)) == treys(one) == phevaluator(other):
            raise SystemExit(f"The scorers disagree about this round, so there is nothing to measure: {table}")
    capsa = parse_ruleset("capsa")
    times = medians(
        {
            "Round, points only": over(partial(score_points, ruleset=peers.RULES), tables),
            "Round with every reason": over(partial(score_round, ruleset=peers.RULES), tables),
            "Round with every reason, capsa": over(partial(score_round, ruleset=capsa), tables),
            "Round on treys, points only": over(treys, for_treys),
            "Round on phevaluator, points only": over(phevaluator, for_phevaluator),
        },
        turns=60,
    )
    targets = {"Round, points only": 3.0, "Round with every reason": 1.2}
    peer = times["Round on treys, points only"]
    for name, seconds in times.items():
        yield Line(name, seconds / len(tables), peer / seconds, targets.get(name))


def naturals() -> Iterator[Line]:
    """Thirteen cards: which natural they hold."""
    dealer = random.Random(SEED)
    dealt, made = deals.deal_hands(1000, dealer), deals.deal_naturals(1000, dealer)
    few, few_made = dealt[:20], made[:20]
    four = natural_detector(peers.RULES)
    if [four(hand) for hand in few + few_made] != [literal.find_natural(hand) for hand in few + few_made]:
        raise SystemExit("The literal search finds other naturals than the tables, so there is nothing to measure.")
    contestants = {
        "Natural of a random hand, four listed": (four, dealt),
        "Natural of a random hand, thirteen listed": (natural_detector(parse_ruleset("thirteen-water")), dealt),
        "Natural of a hand that is one, four listed": (four, made),
        "Literal search, random hand": (literal.find_natural, few),
        "Literal search, hand that is a natural": (literal.find_natural, few_made),
    }
    times = medians({name: over(find, hands) for name, (find, hands) in contestants.items()}, turns=25)
    for name, (_, hands) in contestants.items():
        yield Line(name, times[name] / len(hands), most_seconds=None if "Literal" in name else 3e-6)


def layouts() -> Iterator[Line]:
    """The best five layouts of thirteen cards, and the best one against three known hands."""
    plain, capsa = parse_ruleset("points"), parse_ruleset("capsa")
    hands = deals.deal_hands(40, random.Random(SEED))
    few = hands[:3]
    for hand in few:
        if literal.best_values(hand, plain) != [layout.value for layout in suggest(hand, plain)]:
            raise SystemExit("Trying every split finds better layouts, so there is nothing to measure.")
    rounds = deals.deal_tables(40, capsa, random.Random(SEED))
    tables = [(mine.row("front") + mine.row("middle") + mine.row("back"), others) for mine, *others in rounds]
    contestants = {
        "Best layouts": (partial(suggest, ruleset=plain), hands),
        "Best layouts, capsa": (partial(suggest, ruleset=capsa), hands),
        "Best layouts by every split": (partial(literal.best_values, ruleset=plain), few),
        "Best layout against the table, capsa": (lambda table: best_against(*table, ruleset=capsa), tables),
    }
    times = medians({name: over(find, items) for name, (find, items) in contestants.items()}, turns=7)
    each = {name: times[name] / len(items) for name, (_, items) in contestants.items()}
    for name, seconds in each.items():
        least = 15.0 if name in ("Best layouts", "Best layouts, capsa") else None
        ratio = each["Best layouts by every split"] / seconds
        most = 50e-3 if "table" in name else None
        yield Line(name, seconds, ratio if least else None, least, most, peer="every split")


def settling() -> Iterator[Line]:
    """Fewest transfers, by the number of people with a balance."""
    targets = {12: 1e-3, 16: 10e-3}
    for kind, deal in deals.KINDS_OF_BALANCES.items():
        for people in (4, 8, 12, 16, 20):
            dealer = random.Random(SEED)
            evenings = [deal(people, dealer) for _ in range(15)]
            contestants = {f"Settle {people} people, {kind}": over(settle, evenings)}
            if people <= 8:
                amounts = [list(evening.values()) for evening in evenings]
                contestants[f"Every subset, {people} people, {kind}"] = over(literal.count_transfers, amounts)
            for name, seconds in medians(contestants, turns=7).items():
                yield Line(name, seconds / len(evenings), most_seconds=targets.get(people))


def show(line: Line) -> None:
    ratio = f"{line.ratio:.2f} × {line.peer}" if line.ratio else ""
    target = f"at least {line.least_ratio} ×" if line.least_ratio else ""
    if line.most_seconds:
        target = f"at most {line.most_seconds * MICRO:,.0f} µs"
    print(f"{line.what:44}{line.seconds * MICRO:12,.2f} µs{1 / line.seconds:14,.0f}/s{ratio:>22}  {target}".rstrip())


def main() -> None:
    print(f"{'median of interleaved turns':44}{'one takes':>15}{'rate':>16}{'rate of a peer':>22}  target")
    missed = []
    for section in (whole_rounds, naturals, layouts, settling):
        print()
        for line in section():
            show(line)
            if line.ratio and line.least_ratio and line.ratio < line.least_ratio:
                missed.append(f"{line.what}: {line.ratio:.2f} times {line.peer} is less than {line.least_ratio} times.")
    if missed:
        sys.exit("\n".join(["", *missed]))


if __name__ == "__main__":
    main()
