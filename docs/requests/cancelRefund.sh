curl -X POST "$TUA_API_URL/refunds/$REFUND_ID/cancel" -H "x-api-key: $TUA_SECRET_KEY"
