curl "$TUA_API_URL/links" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: choir-2026' \
  -d '{"title": "Adom choir: robe", "amount": 10.5}'
