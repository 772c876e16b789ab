curl "$TUA_API_URL/checkout" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: order-17-attempt-1' \
  -d '{"amount": 18.00, "email": "ama@example.com", "reference": "order-17",
       "metadata": {"customer": "4711"}, "returnUrl": "http://localhost:9000/orders/order-17"}'
