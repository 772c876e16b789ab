curl -X POST "$TUA_API_URL/webhooks/$ENDPOINT_ID/disable" -H "x-api-key: $TUA_SECRET_KEY"
