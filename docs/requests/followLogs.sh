curl "$TUA_API_URL/logs?after=0" -H "x-api-key: $TUA_SECRET_KEY"
