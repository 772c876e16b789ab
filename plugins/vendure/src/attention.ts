import { Injectable } from "@nestjs/common";
import { HistoryService, Logger, OrderService, type ID, type RequestContext } from "@vendure/core";
import { LOG_CONTEXT } from "./log-context.js";

/** Tells the people of the shop what needs them. */
@Injectable()
export class TuaAttention {
  constructor(
    private readonly orders: OrderService,
    private readonly history: HistoryService,
  ) {}

  /** Writes a note that only the administration sees, and logs it. Does nothing where the order has the same note already. */
  async flag(ctx: RequestContext, orderId: ID, reference: string, note: string): Promise<void> {
    const text = `Tua: ${note}`;
    const written = await this.history.getHistoryForOrder(ctx, orderId, false, { filter: { type: { eq: "ORDER_NOTE" } } });
    if (written.items.some(({ data }) => data.note === text)) return;
    Logger.error(`Order ${reference}: ${note}`, LOG_CONTEXT);
    await this.orders.addNoteToOrder(ctx, { id: orderId, note: text, isPublic: false });
  }
}
