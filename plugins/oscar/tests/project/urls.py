from django.apps import apps
from django.contrib import admin
from django.urls import include, path

from . import probe

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("tua/", include("tua_pay_oscar.urls")),
    path("probe/orders", probe.orders),
    path("probe/stock", probe.stock),
    path("probe/age/<str:number>", probe.age),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
