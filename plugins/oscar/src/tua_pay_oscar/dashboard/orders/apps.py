"""The orders of Oscar's dashboard with refunds, for shops without views of their own."""

from __future__ import annotations

from oscar.apps.dashboard.orders.apps import OrdersDashboardConfig as CoreOrdersDashboardConfig


class OrdersDashboardConfig(CoreOrdersDashboardConfig):
    name = "tua_pay_oscar.dashboard.orders"

    def ready(self) -> None:
        super().ready()
        # Oscar looks for views of `dashboard.orders` in the app `dashboard` only.
        from .views import OrderDetailView, OrderListView

        self.order_detail_view = OrderDetailView
        self.order_list_view = OrderListView
