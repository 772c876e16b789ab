import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const endpoint = await tua.webhookEndpoints.remove(process.env.ENDPOINT_ID);
console.log(endpoint.url, endpoint.status);
