curl -X POST "$TUA_API_URL/checkout/$CHECKOUT_ID/close" -H "x-api-key: $TUA_SECRET_KEY"
