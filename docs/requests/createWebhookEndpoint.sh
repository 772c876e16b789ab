curl "$TUA_API_URL/webhooks" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -H 'idempotency-key: shop-webhooks' \
  -d '{"url": "https://shop.example/webhooks"}'
