"""Django's settings, which exist once in a process."""

from __future__ import annotations

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware"],
    SECRET_KEY="tests",
)
django.setup()
