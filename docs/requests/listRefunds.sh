curl "$TUA_API_URL/refunds?transactionId=$TRANSACTION_ID" -H "x-api-key: $TUA_SECRET_KEY"
