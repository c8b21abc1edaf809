"""A whole club as one file of JSON, and such a file as a club of this installation.

`shape` says what stands in the file, for writing and reading alike. A file is never trusted: what it holds is read
field by field, refers only to what is in it, and is audited before it stays.
"""

from scoring.club_file.importing import ImportedClub, import_club
from scoring.club_file.parsing import MOST_BYTES
from scoring.club_file.places import RefusedError
from scoring.club_file.writing import write_club

__all__ = ["MOST_BYTES", "ImportedClub", "RefusedError", "import_club", "write_club"]
