curl "$TUA_API_URL/payouts/batches/$BATCH_ID" -H "x-api-key: $TUA_SECRET_KEY"
