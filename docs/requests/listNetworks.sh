curl "$TUA_API_URL/networks" -H "x-api-key: $TUA_SECRET_KEY"
