import { Injectable } from "@nestjs/common";
import { Logger, OrderService, type ID, type RequestContext } from "@vendure/core";
import { LOG_CONTEXT } from "./log-context.js";

/** Tells the people of the shop what needs them. */
@Injectable()
export class TuaAttention {
  constructor(private readonly orders: OrderService) {}

  /** Writes a note that only the administration sees, once, and logs it. */
  async flag(ctx: RequestContext, orderId: ID | undefined, reference: string, note: string): Promise<void> {
    Logger.error(`Order ${reference}: ${note}`, LOG_CONTEXT);
    if (orderId === undefined) return;
    await this.orders.addNoteToOrder(ctx, { id: orderId, note: `Tua: ${note}`, isPublic: false });
  }
}
