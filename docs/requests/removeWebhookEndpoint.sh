curl -X POST "$TUA_API_URL/webhooks/$ENDPOINT_ID/remove" -H "x-api-key: $TUA_SECRET_KEY"
