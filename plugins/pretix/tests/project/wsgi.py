"""pretix, with its static files, which a proxy serves elsewhere."""

from django.core.wsgi import get_wsgi_application
from whitenoise import WhiteNoise

application = get_wsgi_application()

from django.conf import settings  # noqa: E402

application = WhiteNoise(application, root=settings.STATIC_ROOT, prefix="static")
