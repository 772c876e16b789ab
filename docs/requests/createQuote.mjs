import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const quote = await tua.quotes.create({ type: "CHARGE", amount: "120.00", network: "MTN" });
console.log(quote.payerPays, quote.fee);
