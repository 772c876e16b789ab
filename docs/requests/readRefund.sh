curl "$TUA_API_URL/refunds/$REFUND_ID" -H "x-api-key: $TUA_SECRET_KEY"
