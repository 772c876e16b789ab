import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const payout = await tua.payouts.cancel(process.env.TRANSACTION_ID);
console.log(payout.status, payout.failure?.code);
