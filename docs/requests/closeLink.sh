curl -X POST "$TUA_API_URL/links/$LINK_ID/close" -H "x-api-key: $TUA_SECRET_KEY"
