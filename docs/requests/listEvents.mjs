import { Tua } from "@tua-pay/node";

const tua = new Tua({ secretKey: process.env.TUA_SECRET_KEY, baseUrl: process.env.TUA_API_URL });
for await (const event of tua.events.follow({ after: process.env.EVENT_ID })) {
  console.log(event.id, event.type);
  if (event.type === "charge.successful") break; // a real program goes on
}
