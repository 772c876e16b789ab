curl "$TUA_API_URL/payout" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: payout-5' \
  -d '{"amount": 5, "phoneNumber": "0241234567", "network": "MTN", "payeeNote": "Delivery of 27 November"}'
