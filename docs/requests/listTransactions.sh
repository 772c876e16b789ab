curl "$TUA_API_URL/transactions?status=SUCCESSFUL&limit=10" -H "x-api-key: $TUA_SECRET_KEY"
