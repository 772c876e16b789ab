"""The views of Oscar's dashboard that change orders."""

from __future__ import annotations

from oscar.apps.dashboard.orders.views import OrderDetailView as CoreDetailView
from oscar.apps.dashboard.orders.views import OrderListView as CoreListView

from ...dashboard_views import TuaHandlerMixin, TuaOrderDetailMixin


class OrderListView(TuaHandlerMixin, CoreListView):
    pass


class OrderDetailView(TuaOrderDetailMixin, CoreDetailView):
    pass
