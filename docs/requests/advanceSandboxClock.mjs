import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const { due } = await tua.sandbox.advanceClock(1860);
console.log(due.checkouts, due.payments);
