curl "$TUA_API_URL/webhooks/$ENDPOINT_ID" -H "x-api-key: $TUA_SECRET_KEY"
