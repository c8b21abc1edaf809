"""What is wrong with a file, and where in it."""

from django.utils.translation import gettext as _

from scoring.engine.errors import shown


class RefusedError(Exception):
    """The file is not taken. The message says to a person what is wrong, and where: `place` is a path or a line."""

    def __init__(self, place: str, problem: object) -> None:
        self.place = place
        super().__init__(_("%(place)s: %(problem)s") % {"place": place, "problem": problem} if place else str(problem))


def inside(place: str, name: str) -> str:
    """The place of what is called `name` in an object; the file itself has no name."""
    return f"{place}.{name}" if place else name


class ProblemError(Exception):
    """Something is wrong with a value; whoever knows the place says where."""


def unexpected(expected: str, got: object) -> ProblemError:
    """A value that is not what it should be: `expected` is "a whole number" or the like."""
    return ProblemError(_("Expected %(expected)s, not %(got)s.") % {"expected": expected, "got": shown(got)})
