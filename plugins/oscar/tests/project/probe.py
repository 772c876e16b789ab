"""What the journeys read of the shop's database. Only the test shop has these addresses."""

from datetime import timedelta

from django.http import JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from oscar.core.loading import get_model

Order = get_model("order", "Order")
StockRecord = get_model("partner", "StockRecord")


def orders(request):
    """The orders of a guest, oldest first."""
    found = Order.objects.filter(guest_email=request.GET["email"]).order_by("pk")
    return JsonResponse({"orders": [_order(order) for order in found]})


def _order(order):
    return {
        "number": order.number,
        "status": order.status,
        "sources": [
            [str(source.amount_debited), str(source.amount_refunded)]
            for source in order.sources.all()
        ],
        "events": sorted(
            [event.event_type.code, str(event.amount)] for event in order.payment_events.all()
        ),
        "payments": [
            {"state": payment.state, "checkoutId": payment.checkout_id}
            for payment in order.tua_payments.all()
        ],
        "refunds": [
            [refund.state, str(refund.amount)]
            for payment in order.tua_payments.all()
            for refund in payment.refunds.all()
        ],
        "errors": [note.message for note in order.notes.filter(note_type="Error")],
    }


def stock(_request):
    """How many of the product are allocated to orders."""
    record = StockRecord.objects.get(partner_sku="Shea butter")
    return JsonResponse({"allocated": record.num_allocated or 0})


@csrf_exempt
def age(request, number):
    """Moves the order two days into the past."""
    moment = timezone.now() - timedelta(days=2)
    Order.objects.filter(number=number).update(date_placed=moment)
    return JsonResponse({})
