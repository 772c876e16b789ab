"""Mobile-money payments in Ghana for django-oscar 4, through a Tua service."""
