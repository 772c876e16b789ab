curl "$TUA_API_URL/checkout/$CHECKOUT_ID" -H "x-api-key: $TUA_SECRET_KEY"
