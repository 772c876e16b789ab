import type { PaymentModuleContainer } from "./rows.js";

/** The event that something needs people. Its subscriber shows it in the admin; a shop may add its own. */
export const ATTENTION_EVENT = "tua.attention_required";

export interface Attention {
  /** The same for the same matter. */
  key: string;
  title: string;
  description: string;
}

/** Tells the people of the shop. It has no secret and no phone number. */
export async function reportToPeople(
  container: Pick<PaymentModuleContainer, "event_bus" | "logger">,
  key: string,
  title: string,
  sentences: string[],
): Promise<void> {
  const attention: Attention = { key, title, description: sentences.join(" ") };
  container.logger.error(`Tua: ${attention.title}. ${attention.description}`);
  await container.event_bus?.emit({ name: ATTENTION_EVENT, data: attention });
}
