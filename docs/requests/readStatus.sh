curl "$TUA_API_URL/status/$TRANSACTION_ID" -H "x-api-key: $TUA_SECRET_KEY" -H 'prefer: wait=30'
