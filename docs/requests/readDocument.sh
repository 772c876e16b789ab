curl "${TUA_API_URL%/v1}/openapi.json"
