curl "$TUA_API_URL/webhooks/$ENDPOINT_ID/rotate" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -d '{"overlapHours": 48}'
