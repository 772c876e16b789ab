import { Injectable } from "@nestjs/common";
import { TuaRequestError, type Refund as TuaRefund } from "@tua-pay/node";
import { OrderService, Refund, TransactionalConnection, type ID, type RequestContext } from "@vendure/core";
import { TuaAttention } from "./attention.js";
import { connect, modeOf } from "./connection.js";
import { readMetadata } from "./payment-state.js";
import type { TuaMethod } from "./payments.service.js";
import { failureOf, requestRefund, type RefundMetadata } from "./refunds.js";

/**
 * How long the request of a refund whose response was lost is sent again, in milliseconds. Tua keeps its key for 7 days, and a
 * request with a deleted key would be another refund.
 */
const REPEAT_AGE_MS = 6 * 86_400_000;
const LOOK_UP =
  "Look at the charge in Tua's dashboard. If the refund is missing there, make it there. Then settle it here with its identifier.";

/** Brings Vendure's refunds to what Tua reports. */
@Injectable()
export class TuaRefundsService {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly orders: OrderService,
    private readonly attention: TuaAttention,
  ) {}

  /** Brings a pending refund to its outcome. */
  async finishRefund(ctx: RequestContext, outcome: TuaRefund, refundId?: ID): Promise<void> {
    if (outcome.status === "PENDING") return;
    await this.connection.withTransaction(ctx, async (inner) => {
      const where = refundId === undefined ? { transactionId: outcome.refundId } : { id: refundId };
      const refund = await this.connection
        .getRepository(inner, Refund)
        .findOne({ where, relations: { payment: { order: true } } });
      if (!refund) return;
      const { order } = refund.payment;
      const sum = `The refund of GHS ${outcome.amount} (${outcome.refundId})`;
      if (refund.state === "Settled" && outcome.status === "FAILED") {
        return this.attention.flag(
          inner,
          order.id,
          order.code,
          `${sum} failed after it was reported as made. Return the money in Tua's dashboard.`,
        );
      }
      if (refund.state !== "Pending") return;
      if (outcome.status === "SUCCESSFUL") {
        refund.metadata = { ...refund.metadata, status: outcome.status };
        await this.connection.getRepository(inner, Refund).save(refund, { reload: false });
        await this.orders.settleRefund(inner, { id: refund.id, transactionId: outcome.refundId });
      } else {
        await this.orders.transitionRefundToState(inner, refund.id, "Failed", outcome.refundId);
        await this.attention.flag(inner, order.id, order.code, `${sum} failed, and no money moved: ${outcome.failure.message}`);
      }
    });
  }

  /** Sends the request of a refund again whose response was lost, or asks about a pending one. The refund has its order. */
  async askAboutRefund(ctx: RequestContext, method: TuaMethod, refund: Refund): Promise<void> {
    const mode = modeOf(method.args);
    const begunIn = readMetadata(refund.payment)?.public.mode ?? mode;
    if (begunIn !== mode) {
      // The key does not find it. A test refund moves no money; a live one may, so it waits for a live key.
      if (begunIn === "test") await this.orders.transitionRefundToState(ctx, refund.id, "Failed");
      return;
    }
    const metadata = refund.metadata as Partial<RefundMetadata>;
    const tua = connect(method.args);
    if (refund.transactionId) return this.finishRefund(ctx, await tua.refunds.get(refund.transactionId), refund.id);
    if (!metadata.idempotencyKey) return;
    if (Date.now() - refund.createdAt.getTime() > REPEAT_AGE_MS) return this.giveUp(ctx, refund);
    try {
      const found = await requestRefund(tua, metadata as RefundMetadata);
      await this.connection.getRepository(ctx, Refund).update(refund.id, { transactionId: found.refundId });
      await this.finishRefund(ctx, found, refund.id);
    } catch (error) {
      const failure = error instanceof TuaRequestError ? failureOf(error) : undefined;
      if (failure === undefined) throw error;
      await this.recordRefusal(ctx, refund, failure);
    }
  }

  /** Tells people, once, about a refund whose response was lost, and whose request must not be sent again. */
  private async giveUp(ctx: RequestContext, refund: Refund): Promise<void> {
    const { amount, tuaCharge, givenUpAt } = refund.metadata as RefundMetadata;
    if (givenUpAt !== undefined) return;
    const message = `It is not known whether the refund of GHS ${amount} was made, and it is not sent again. ${LOOK_UP}`;
    await this.connection.withTransaction(ctx, async (inner) => {
      refund.metadata = { ...refund.metadata, message, givenUpAt: new Date().toISOString() };
      await this.connection.getRepository(inner, Refund).save(refund, { reload: false });
      const { order } = refund.payment;
      await this.attention.flag(inner, order.id, order.code, `Charge ${tuaCharge}, Vendure's refund ${refund.id}: ${message}`);
    });
  }

  /** An administrator has read that this refund is pending, so people are told that it was not made. */
  private async recordRefusal(ctx: RequestContext, refund: Refund, message: string): Promise<void> {
    await this.connection.withTransaction(ctx, async (inner) => {
      const { amount } = refund.metadata as RefundMetadata;
      refund.metadata = { ...refund.metadata, message };
      await this.connection.getRepository(inner, Refund).save(refund, { reload: false });
      await this.orders.transitionRefundToState(inner, refund.id, "Failed");
      const { order } = refund.payment;
      const what = `The refund of GHS ${amount} (Vendure's refund ${refund.id})`;
      await this.attention.flag(inner, order.id, order.code, `${what} was not made: ${message}`);
    });
  }
}
