curl "$TUA_API_URL/links?limit=10" -H "x-api-key: $TUA_SECRET_KEY"
