import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const event = await tua.events.get(process.env.EVENT_ID);
console.log(event.type);
