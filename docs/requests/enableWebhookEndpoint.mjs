import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const endpoint = await tua.webhookEndpoints.enable(process.env.ENDPOINT_ID, { resend: true });
console.log(endpoint.status, endpoint.recordedEvents);
