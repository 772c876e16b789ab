"""`path("tua/", include("tua_pay_oscar.urls"))`."""

from __future__ import annotations

from django.urls import path

from . import views

app_name = "tua"
urlpatterns = [
    path("webhook", views.webhook, name="webhook"),
    path("orders/<str:number>/<str:token>/pay/", views.pay, name="pay"),
    path("orders/<str:number>/<str:token>/", views.status, name="status"),
]
