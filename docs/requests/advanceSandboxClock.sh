curl "$TUA_API_URL/sandbox/clock/advance" -H "x-api-key: $TUA_SECRET_KEY" -H 'content-type: application/json' \
  -d '{"seconds": 1860}'
