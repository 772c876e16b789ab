import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework";
import { Modules } from "@medusajs/framework/utils";
import { ATTENTION_EVENT, type Attention } from "../providers/tua/attention.js";

/** Shows what needs people among the notifications of Medusa's admin, once. */
export default async function showAttention({ event, container }: SubscriberArgs<Attention>): Promise<void> {
  const { key, title, description } = event.data;
  await container.resolve(Modules.NOTIFICATION).createNotifications({
    to: "",
    channel: "feed",
    template: "admin-ui",
    idempotency_key: `tua-${key}`,
    data: { title, description },
  });
}

export const config: SubscriberConfig = { event: ATTENTION_EVENT, context: { subscriberId: "tua-show-attention" } };
