curl "$TUA_API_URL/checkout" -H "x-api-key: $CHECKOUT_TOKEN"
