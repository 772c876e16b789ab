"""Puts goods into the test shop: a product for 18 cedis, one for 2 dollars, and two people of the
shop, of whom one may only look at orders."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.contrib.auth.models import Permission  # noqa: E402
from oscar.core.loading import get_model  # noqa: E402

PASSWORD = "a-password-for-tests"
Country = get_model("address", "Country")
Partner = get_model("partner", "Partner")
Product = get_model("catalogue", "Product")
ProductClass = get_model("catalogue", "ProductClass")

Country.objects.create(
    iso_3166_1_a2="GH", printable_name="Ghana", name="Ghana", is_shipping_country=True
)
goods = ProductClass.objects.create(name="Goods", requires_shipping=True, track_stock=True)
partner = Partner.objects.create(name="Adom Stores")
for title, price, currency in (("Shea butter", "18.00", "GHS"), ("Kente cloth", "2.00", "USD")):
    product = Product.objects.create(title=title, product_class=goods)
    product.stockrecords.create(
        partner=partner,
        partner_sku=title,
        price=price,
        price_currency=currency,
        num_in_stock=1000,
    )

users = get_user_model().objects
users.create_superuser("owner", "owner@example.com", PASSWORD)
reader = users.create_user("reader", "reader@example.com", PASSWORD, is_staff=True)
reader.user_permissions.add(Permission.objects.get(codename="view_order"))
