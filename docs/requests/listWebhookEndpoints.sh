curl "$TUA_API_URL/webhooks" -H "x-api-key: $TUA_SECRET_KEY"
