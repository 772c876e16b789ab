"""The settings of pretix itself. The journeys pass its configuration file in the environment, and
read the e-mails in a folder."""

import os

from pretix.settings import *  # noqa: F403

EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_CUSTOM_SMTP_BACKEND = EMAIL_BACKEND
EMAIL_FILE_PATH = os.environ["SHOP_MAIL"]
