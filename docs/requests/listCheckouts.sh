curl "$TUA_API_URL/checkouts?status=OPEN&limit=10" -H "x-api-key: $TUA_SECRET_KEY"
