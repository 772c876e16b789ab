import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
for await (const checkout of tua.checkouts.list({ status: "OPEN", pageSize: 10 })) {
  console.log(checkout.checkoutId, checkout.reference);
}
