"""The addresses of the running site, as `serve` prints them."""

import io

import segno
from django.conf import settings

NO_NETWORK = "127.0.0.1"


def local_address(port: int) -> str:
    """The site as the machine that runs it opens it."""
    return f"http://localhost:{port}/"


def site_address(port: int) -> str | None:
    """The site as phones open it: by the first plain name of CAPSA_HOSTS or the network address; None without one."""
    for host in settings.SITE_HOSTS:
        if host != NO_NETWORK and not host.startswith(("*", ".")):
            return f"https://{host}/" if settings.HTTPS else f"http://{host}:{port}/"
    return None


def announcement(port: int, setup_path: str) -> list[str]:
    """The lines that say where to go. `setup_path`, without a slash in front, is empty once somebody has an account."""
    site = site_address(port)
    lines = [] if settings.HTTPS else [f"On this machine:  {local_address(port)}"]
    lines.append(f"On the network:   {site or 'none found, so phones cannot open the site'}")
    if setup_path:
        link = (site or local_address(port)) + setup_path
        lines.append(f"Nobody has an account yet. This link makes the first one: {link}")
    return lines


def qr_code(address: str, colour: bool) -> list[str]:
    """`address` drawn with half blocks: in black and white of its own with `colour`, else in the terminal's."""
    drawing = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawing, border=2, compact=True)
    rows = drawing.getvalue().splitlines()
    return [f"\033[97;40m{row}\033[0m" for row in rows] if colour else rows
