curl -X POST "$TUA_API_URL/links/$LINK_ID/reopen" -H "x-api-key: $TUA_SECRET_KEY"
