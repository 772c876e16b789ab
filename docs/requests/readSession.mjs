import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const checkout = await tua.checkouts.get(process.env.CHECKOUT_ID);
console.log(checkout.status);
