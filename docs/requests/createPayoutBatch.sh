curl "$TUA_API_URL/payouts/batches" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: november' \
  -d '{"payouts": [{"amount": 5, "phoneNumber": "0241234567", "network": "MTN"}], "reference": "salaries"}'
