import type { BigNumberInput } from "@medusajs/framework/types";

/** The services of Medusa's payment module that this provider uses. They are in the container that a provider gets. */
export interface PaymentModuleContainer {
  paymentSessionService: {
    retrieve(id: string, config: { select: string[] }): Promise<SessionRow>;
    list(filters: Record<string, unknown>, config?: { select?: string[]; relations?: string[] }): Promise<SessionRow[]>;
  };
  refundService: {
    list(filters: Record<string, unknown>, config?: { select?: string[] }): Promise<RefundRow[]>;
  };
  paymentService: {
    retrieve(id: string, config: { select: string[] }): Promise<{ data: Record<string, unknown> | null }>;
    update(payment: { id: string; data: Record<string, unknown> }): Promise<unknown>;
  };
  event_bus?: { emit(event: { name: string; data: unknown }): Promise<void> };
  logger: { error(message: string): void; info(message: string): void };
}

export interface RefundRow {
  id: string;
  amount: BigNumberInput;
}

export interface SessionRow {
  id: string;
  provider_id: string;
  payment_collection_id: string;
  data: Record<string, unknown> | null;
  created_at: Date | string;
  payment?: { id: string } | null;
}

const COLUMNS = ["id", "provider_id", "payment_collection_id", "data", "created_at"];

/** The other sessions of the same payment collection that pay through Tua. */
export async function findSiblings(container: PaymentModuleContainer, sessionId: string): Promise<SiblingSessions> {
  const sessions = container.paymentSessionService;
  const { payment_collection_id: collectionId } = await sessions.retrieve(sessionId, { select: COLUMNS });
  const all = await sessions.list({ payment_collection_id: collectionId }, { select: COLUMNS, relations: ["payment"] });
  const others = all.filter(({ id, provider_id }) => id !== sessionId && provider_id.startsWith("pp_tua"));
  return { collectionId, others };
}

export interface SiblingSessions {
  collectionId: string;
  others: SessionRow[];
}
