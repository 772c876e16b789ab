curl "$TUA_API_URL/quote" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -d '{"type": "CHARGE", "amount": 120, "network": "MTN"}'
