curl "$TUA_API_URL/submit-otp" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: order-17-1-code-1' \
  -d '{"transactionId": "'"$TRANSACTION_ID"'", "otp": "123456"}'
