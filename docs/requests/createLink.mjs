import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
const link = await tua.links.create(
  { title: "Adom choir: robe", amount: "10.50" },
  { idempotencyKey: "choir-2026" },
);
console.log(link.linkId, link.url);
