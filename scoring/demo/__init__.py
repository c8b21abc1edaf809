"""A club that never was, to look around in: people, evenings, deals, all made up from one seed."""
