import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const endpoint = await tua.webhookEndpoints.create(
  { url: "https://shop.example/webhooks" },
  { idempotencyKey: "shop-webhooks" },
);
console.log(endpoint.endpointId, endpoint.secret); // the secret is shown only once
