import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
for await (const endpoint of tua.webhookEndpoints.list()) {
  console.log(endpoint.endpointId, endpoint.url, endpoint.status);
}
