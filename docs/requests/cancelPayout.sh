curl -X POST "$TUA_API_URL/payouts/$TRANSACTION_ID/cancel" -H "x-api-key: $TUA_SECRET_KEY"
