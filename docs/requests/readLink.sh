curl "$TUA_API_URL/links/$LINK_ID" -H "x-api-key: $TUA_SECRET_KEY"
