curl "$TUA_API_URL/webhooks/$ENDPOINT_ID/enable" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -d '{"resend": true}'
