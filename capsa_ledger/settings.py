"""All settings, driven by the environment.

Variable            Default                What it does
CAPSA_DATA_DIR      data/                  database, secret key, collected static files
DATABASE_URL        SQLite in the above    any other database
CAPSA_HOSTS         the network address    names or addresses people open the site by, comma separated, the best first
CAPSA_HTTPS         off                    on: cookies and redirects for a site behind TLS
CAPSA_OPEN_SIGNUP   off                    on: anybody may make an account, without an invitation
CAPSA_TIME_ZONE     Asia/Jakarta           for clubs that choose none
CAPSA_DEBUG         off                    on: Django's error pages; for developers only
CAPSA_SECRET_KEY    made once, in a file   signs cookies and links
"""

import contextlib
import os
import secrets
import socket
import tempfile
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()

DEBUG = env.bool("CAPSA_DEBUG", default=False)
HTTPS = env.bool("CAPSA_HTTPS", default=False)
OPEN_SIGNUP = env.bool("CAPSA_OPEN_SIGNUP", default=False)

# The money book and the key that signs everything: nobody else on the machine may read them.
DATA_DIR = Path(env.str("CAPSA_DATA_DIR", default="") or BASE_DIR / "data").resolve()
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)


def _secret_key(path: Path) -> str:
    """The key kept in `path`, made on first use.

    It is written elsewhere and then linked into place: of several processes starting at once one wins, and none
    can read a key half written.
    """
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent) as draft:  # readable by its owner only
            draft.write(secrets.token_urlsafe(50))
            draft.flush()
            with contextlib.suppress(FileExistsError):
                os.link(draft.name, path)
    return path.read_text()


SECRET_KEY = env.str("CAPSA_SECRET_KEY", default="") or _secret_key(DATA_DIR / "secret-key")


def _network_address() -> str:
    """This machine's address on the home network. Connecting a UDP socket sends nothing; it only picks a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


SITE_HOSTS = [host.strip() for host in env.list("CAPSA_HOSTS", default=[_network_address()])]
# Never "*": a foreign page could then make its own name point here and read the book.
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *SITE_HOSTS]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "django_htmx",
    "django_tables2",
    "template_partials",
    "csp",
    "axes",
    "scoring",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "capsa_ledger.middleware.LoginMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "capsa_ledger.middleware.kept_by_nobody",
    "capsa_ledger.middleware.never_blank",
    "capsa_ledger.middleware.own_time_zone",
]

# Forms are drawn with our own templates/django/forms/, what is missing there comes from Django.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

ROOT_URLCONF = "capsa_ledger.urls"
WSGI_APPLICATION = "capsa_ledger.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
            # Built in to Django 6: there these lines go and the templates stay.
            "builtins": ["template_partials.templatetags.partials", "django.templatetags.i18n"],
        },
    },
]

# ---------------------------------------------------------------- database

_sqlite_options = {
    # IMMEDIATE takes the write lock at the start, so that two writers wait for each other instead of failing.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # `synchronous` stays at FULL: it is a money book.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA journal_size_limit=27103364;",
}
# Not as a URL: the folder's name may hold characters that mean something there.
_embedded = {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA_DIR / "capsa.sqlite3"}
DATABASES = {"default": env.db("DATABASE_URL") if env.str("DATABASE_URL", default="") else _embedded}
if DATABASES["default"]["ENGINE"] == _embedded["ENGINE"]:
    DATABASES["default"] |= {"OPTIONS": _sqlite_options, "CONN_MAX_AGE": 60}
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    # Per process: as many connections as workers times max_size may be open at once.
    _options: dict[str, object] = env.db("DATABASE_URL").get("OPTIONS", {})
    _pool = {"pool": {"min_size": 1, "max_size": 8, "timeout": 10}}
    DATABASES["default"] |= {"OPTIONS": _options | _pool, "CONN_MAX_AGE": 0}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ---------------------------------------------------------------- accounts

LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# By name and address together: a whole table shares one address and must not be locked out for one forgetful host.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
AXES_RESET_ON_SUCCESS = True

# ---------------------------------------------------------------- languages and time

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("id", _("Indonesian")), ("ms", _("Malay")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "scoring" / "locale"]
TIME_ZONE = env.str("CAPSA_TIME_ZONE", default="Asia/Jakarta")
USE_TZ = True

# ---------------------------------------------------------------- static files

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
DJANGO_TABLES2_TEMPLATE = "scoring/_table.html"

# ---------------------------------------------------------------- security

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "manifest-src": [SELF],
        "img-src": [SELF, "data:"],  # Pico draws its form icons as data: images
    }
}
# Which requests came by TLS is told by gunicorn, which believes a proxy on this machine only (FORWARDED_ALLOW_IPS).
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # asked by whatever watches the process, from the same machine
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if not HTTPS:
    # On plain http in the home network browsers ignore the header and say so on every page.
    SECURE_CROSS_ORIGIN_OPENER_POLICY = None
    # HSTS, redirect and secure cookies cannot be had there.
    SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"]

# With DEBUG off Django's own logging prints nothing of an error: here everything goes to the console, once.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"django": {"handlers": [], "level": "INFO" if DEBUG else "WARNING"}},
}
