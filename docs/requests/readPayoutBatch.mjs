import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const batch = await tua.payouts.getBatch(process.env.BATCH_ID);
console.log(batch.status);
