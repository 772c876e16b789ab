curl "$TUA_API_URL/refunds" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: refund-17' \
  -d '{"transactionId": "'"$TRANSACTION_ID"'", "amount": 4.2, "reason": "One of two items was sold out"}'
