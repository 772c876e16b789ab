curl "$TUA_API_URL/charge" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: order-17-1' \
  -d '{"amount": 10.5, "phoneNumber": "0241234567", "network": "MTN", "reference": "order-17"}'
