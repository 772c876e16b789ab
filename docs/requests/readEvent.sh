curl "$TUA_API_URL/events/$EVENT_ID" -H "x-api-key: $TUA_SECRET_KEY"
