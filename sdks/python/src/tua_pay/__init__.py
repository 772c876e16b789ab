"""Tua's server SDK: mobile-money payments in Ghana."""

from ._async_client import AsyncTua
from ._async_pages import AsyncPages
from ._page import Page
from ._sync_client import Tua
from ._sync_pages import Pages
from ._version import VERSION
from .amount import Amount
from .cart import CartCheckout, CartRequest, CartResponse, Donation, SoldItem
from .errors import (
    Fault,
    TuaApiError,
    TuaConnectionError,
    TuaError,
    TuaRequestError,
    TuaUnexpectedResponseError,
    TuaUsageError,
    TuaWebhookError,
)
from .events import CheckoutEvent, Event, PingEvent, RefundEvent, TransactionEvent, UnknownEvent
from .models import (
    AdvancedSandboxClock,
    BatchStatus,
    Checkout,
    CheckoutStatus,
    EnabledWebhookEndpoint,
    Failure,
    Link,
    NetworkServices,
    OpenedCheckout,
    PayoutBatch,
    Quote,
    Refund,
    Status,
    Transaction,
    TransactionWithMessage,
    WebhookEndpoint,
    WebhookEndpointWithSecret,
)
from .requests import PayoutRequest
from .webhook import Webhook

__all__ = [
    "VERSION",
    "AdvancedSandboxClock",
    "Amount",
    "AsyncPages",
    "AsyncTua",
    "BatchStatus",
    "CartCheckout",
    "CartRequest",
    "CartResponse",
    "Checkout",
    "CheckoutEvent",
    "CheckoutStatus",
    "Donation",
    "EnabledWebhookEndpoint",
    "Event",
    "Failure",
    "Fault",
    "Link",
    "NetworkServices",
    "OpenedCheckout",
    "Page",
    "Pages",
    "PayoutBatch",
    "PayoutRequest",
    "PingEvent",
    "Quote",
    "Refund",
    "RefundEvent",
    "SoldItem",
    "Status",
    "Transaction",
    "TransactionEvent",
    "TransactionWithMessage",
    "Tua",
    "TuaApiError",
    "TuaConnectionError",
    "TuaError",
    "TuaRequestError",
    "TuaUnexpectedResponseError",
    "TuaUsageError",
    "TuaWebhookError",
    "UnknownEvent",
    "Webhook",
    "WebhookEndpoint",
    "WebhookEndpointWithSecret",
]
