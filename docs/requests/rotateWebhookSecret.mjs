import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const endpoint = await tua.webhookEndpoints.rotate(process.env.ENDPOINT_ID, { overlapHours: 48 });
console.log(endpoint.secret, endpoint.oldSecretUntil);
