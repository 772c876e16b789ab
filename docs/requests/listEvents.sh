curl "$TUA_API_URL/events?after=$EVENT_ID&wait=20" -H "x-api-key: $TUA_SECRET_KEY"
