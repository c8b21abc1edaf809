"""Programs that torture the book: many writers at once, a server killed under load. `make torture` runs them in full.

Each runs on a fresh installation of its own, on the database that DATABASE_URL names the server of, else on SQLite;
`make test` runs their short forms. What was acknowledged must be in the book exactly once, and the audit clean.
"""
