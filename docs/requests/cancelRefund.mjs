import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const refund = await tua.refunds.cancel(process.env.REFUND_ID);
console.log(refund.status);
