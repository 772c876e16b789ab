"""Mobile-money payments in Ghana for pretix, through a Tua service."""

VERSION = "0.1.0"
