curl -X POST "$TUA_API_URL/payouts/batches/$BATCH_ID/cancel" -H "x-api-key: $TUA_SECRET_KEY"
