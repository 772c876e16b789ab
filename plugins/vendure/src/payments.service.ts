import { Injectable } from "@nestjs/common";
import { TuaRequestError, type Refund as TuaRefund, type Transaction } from "@tua-pay/node";
import {
  isGraphQlErrorResult,
  Logger,
  OrderService,
  Payment,
  PaymentMethod,
  PaymentMethodService,
  PaymentService,
  Refund,
  RequestContextService,
  TransactionalConnection,
  type Channel,
  type ID,
  type RequestContext,
} from "@vendure/core";
import { connect, modeOf, type TuaArgs } from "./connection.js";
import { coveredSum } from "./covered-sum.js";
import { tuaPaymentHandler } from "./handler.js";
import { LOG_CONTEXT } from "./log-context.js";
import { PENDING, readMetadata } from "./payment-state.js";
import { requestRefund, type RefundMetadata } from "./refunds.js";
import { lockOf } from "./row-locks.js";

/** A payment method of this plug-in, with its fields. */
export interface TuaMethod {
  code: string;
  args: TuaArgs;
}

/** Brings Vendure's payments and refunds to what Tua reports. */
@Injectable()
export class TuaPaymentsService {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly orders: OrderService,
    private readonly payments: PaymentService,
    private readonly methods: PaymentMethodService,
    private readonly contexts: RequestContextService,
  ) {}

  /** The context of a channel in which a method is used. By its token, Vendure finds the channel with its zones. */
  createContext(channelToken: string): Promise<RequestContext> {
    return this.contexts.create({ apiType: "admin", channelOrToken: channelToken });
  }

  /** The method of this code in the channel; undefined if it has another handler. */
  async findMethod(ctx: RequestContext, code: string): Promise<TuaMethod | undefined> {
    const { items } = await this.methods.findAll(ctx, { filter: { code: { eq: code } } });
    const method = items.find(({ handler }) => handler.code === tuaPaymentHandler.code);
    return method && { code, args: readArgs(method) };
  }

  /** Every method of this plug-in, with its channels. */
  async listMethods(): Promise<(TuaMethod & { channels: Channel[] })[]> {
    const all = await this.connection.rawConnection.getRepository(PaymentMethod).find({ relations: { channels: true } });
    const own = all.filter(({ handler }) => handler.code === tuaPaymentHandler.code);
    return own.map((method) => ({ code: method.code, args: readArgs(method), channels: method.channels }));
  }

  /** Asks about a checkout, and settles its payment if it is paid. Throws where Tua or the database does not respond. */
  async settle(ctx: RequestContext, method: TuaMethod, checkoutId: string): Promise<void> {
    const checkout = await connect(method.args).checkouts.get(checkoutId);
    if (checkout.status !== "PAID") return;
    await this.connection.withTransaction(ctx, async (inner) => {
      const found = await this.lockPayments(inner, method.code, checkoutId);
      if (found.some(({ state }) => state === "Settled")) return;
      const pending = found.find(({ state }) => state === PENDING);
      const sum = `GHS ${checkout.amount} (charge ${checkout.transaction?.transactionId ?? "unknown"})`;
      if (!pending)
        return this.flag(
          inner,
          found[0]?.order?.id,
          checkout.reference,
          `${sum} arrived for a payment that is cancelled. Refund it in Tua's dashboard.`,
        );
      const settled = await this.orders.settlePayment(inner, pending.id);
      if (isGraphQlErrorResult(settled)) throw new Error(`Payment ${pending.id}: ${settled.message}`);
      await this.checkOrder(inner, pending.order.id, sum);
    });
  }

  /** Cancels the payment of a checkout that is over without a payment. */
  async cancel(ctx: RequestContext, method: TuaMethod, checkoutId: string): Promise<void> {
    await this.connection.withTransaction(ctx, async (inner) => {
      const [pending] = (await this.findPayments(inner, method.code, checkoutId)).filter(({ state }) => state === PENDING);
      if (pending) await this.payments.cancelPayment(inner, pending.id);
    });
  }

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
        return this.flag(
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
        await this.flag(inner, order.id, order.code, `${sum} failed, and no money moved: ${outcome.failure.message}`);
      }
    });
  }

  /** Sends the request of a refund again whose response was lost, or asks about a pending one. */
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
    try {
      const found = await requestRefund(tua, metadata as RefundMetadata);
      await this.connection.getRepository(ctx, Refund).update(refund.id, { transactionId: found.refundId });
      await this.finishRefund(ctx, found, refund.id);
    } catch (error) {
      if (!(error instanceof TuaRequestError) || error.outcomeUnknown) throw error;
      await this.orders.transitionRefundToState(ctx, refund.id, "Failed");
    }
  }

  /** People decide about a charge whose operator contradicts its outcome. */
  async flagConflict(ctx: RequestContext, { reference, transactionId, amount }: Transaction): Promise<void> {
    const order = await this.orders.findOneByCode(ctx, reference);
    const note = `The operator contradicts the outcome of charge ${transactionId} of GHS ${amount}. Look at it in Tua's dashboard.`;
    await this.flag(ctx, order?.id, reference, note);
  }

  /** Writes a note that only the administration sees, once, and logs it. */
  async flag(ctx: RequestContext, orderId: ID | undefined, reference: string, note: string): Promise<void> {
    Logger.error(`Order ${reference}: ${note}`, LOG_CONTEXT);
    if (orderId === undefined) return;
    await this.orders.addNoteToOrder(ctx, { id: orderId, note: `Tua: ${note}`, isPublic: false });
  }

  /** People must see a payment that the order does not need, or that does not cover it. */
  private async checkOrder(ctx: RequestContext, orderId: ID, sum: string): Promise<void> {
    const order = await this.orders.findOne(ctx, orderId, ["payments", "payments.refunds"]);
    if (!order) return;
    const total = coveredSum(order.payments);
    if (total > order.totalWithTax)
      await this.flag(ctx, orderId, order.code, `${sum} arrived, and the order was paid already. Refund one of its payments.`);
    if (total < order.totalWithTax) await this.flag(ctx, orderId, order.code, `${sum} arrived, which does not cover the order.`);
  }

  /** Locks the payments of a checkout, so that a webhook and the task do not settle one at the same time. */
  private async lockPayments(ctx: RequestContext, method: string, transactionId: string): Promise<Payment[]> {
    const repository = this.connection.getRepository(ctx, Payment);
    await repository.find({ where: { method, transactionId }, ...lockOf(this.connection) });
    return this.findPayments(ctx, method, transactionId);
  }

  private findPayments(ctx: RequestContext, method: string, transactionId: string): Promise<Payment[]> {
    const repository = this.connection.getRepository(ctx, Payment);
    return repository.find({ where: { method, transactionId }, relations: { order: true }, order: { id: "ASC" } });
  }

  /** The pending payments of an order that pay through Tua. */
  async listPending(ctx: RequestContext, orderId: ID): Promise<Payment[]> {
    const found = await this.connection.getRepository(ctx, Payment).find({ where: { order: { id: orderId }, state: PENDING } });
    return found.filter(readMetadata);
  }

  /** Closes the checkouts of an order. Returns why one of them cannot be closed. */
  async closeAll(ctx: RequestContext, orderId: ID): Promise<string | undefined> {
    for (const { id } of await this.listPending(ctx, orderId)) {
      const payment = await this.payments.cancelPayment(ctx, id);
      if (isGraphQlErrorResult(payment)) return payment.message;
      if (payment.state !== "Cancelled") return payment.errorMessage ?? "The payment cannot be cancelled.";
    }
    return undefined;
  }
}

function readArgs({ handler }: PaymentMethod): TuaArgs {
  const value = (name: string) => handler.args.find((arg) => arg.name === name)?.value ?? "";
  return {
    secretKey: value("secretKey"),
    baseUrl: value("baseUrl"),
    webhookSecret: value("webhookSecret"),
    returnUrl: value("returnUrl"),
  };
}
