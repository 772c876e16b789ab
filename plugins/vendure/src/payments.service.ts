import { Injectable } from "@nestjs/common";
import type { Checkout, Event, Transaction } from "@tua-pay/node";
import {
  isGraphQlErrorResult,
  OrderService,
  Payment,
  PaymentMethod,
  PaymentMethodService,
  PaymentService,
  RequestContextService,
  TransactionalConnection,
  type Channel,
  type ID,
  type Order,
  type RequestContext,
} from "@vendure/core";
import { TuaAttention } from "./attention.js";
import { isReceived } from "./charges.js";
import { statusOf } from "./checkouts.js";
import { connect, type TuaArgs } from "./connection.js";
import { coveredSum } from "./covered-sum.js";
import { tuaPaymentHandler } from "./handler.js";
import { PENDING, readMetadata } from "./payment-state.js";
import { lockOf } from "./row-locks.js";

/** A payment method of this plug-in, with its fields. */
export interface TuaMethod {
  code: string;
  args: TuaArgs;
}

/** Brings Vendure's payments to what Tua reports. */
@Injectable()
export class TuaPaymentsService {
  constructor(
    private readonly connection: TransactionalConnection,
    private readonly orders: OrderService,
    private readonly payments: PaymentService,
    private readonly methods: PaymentMethodService,
    private readonly contexts: RequestContextService,
    private readonly attention: TuaAttention,
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

  /**
   * Asks about a checkout, and settles its payment if it is paid, or cancels it if a review found that no money arrived. Throws where
   * Tua or the database does not respond.
   */
  async settle(ctx: RequestContext, method: TuaMethod, checkoutId: string): Promise<void> {
    const checkout = await connect(method.args).checkouts.get(checkoutId);
    if (checkout.status !== "PAID") return;
    const charge = checkout.paidTransaction;
    if (charge === null) return this.endUnpaid(ctx, method, checkout);
    await this.connection.withTransaction(ctx, async (inner) => {
      const found = await this.lockPayments(inner, method.code, checkoutId);
      if (found.some(({ state }) => state === "Settled")) return;
      const pending = found.find(({ state }) => state === PENDING);
      const sum = `GHS ${checkout.amount} (charge ${charge.transactionId})`;
      if (!pending) return this.flagUnexpected(inner, found, checkout, sum);
      const settled = await this.orders.settlePayment(inner, pending.id);
      if (isGraphQlErrorResult(settled)) throw new Error(`Payment ${pending.id}: ${settled.message}`);
      await this.checkOrder(inner, pending.order.id, sum);
    });
  }

  /** Cancels the payment of a checkout whose money did not arrive. One that is settled stays so, and people are told. */
  private async endUnpaid(ctx: RequestContext, method: TuaMethod, checkout: Checkout): Promise<void> {
    const settled = (await this.findPayments(ctx, method.code, checkout.checkoutId)).find(({ state }) => state === "Settled");
    if (settled) {
      const found = `A review at Tua found that no money of checkout ${checkout.checkoutId} arrived, and its payment was settled before.`;
      const note = `${found} Nothing was changed here. Decide what becomes of the order.`;
      return this.attention.flag(ctx, settled.order.id, checkout.reference, note);
    }
    if (statusOf(checkout) === "CLOSED") await this.cancel(ctx, method, checkout.checkoutId);
  }

  /** Cancels the payment of a checkout that is over without a payment. */
  async cancel(ctx: RequestContext, method: TuaMethod, checkoutId: string): Promise<void> {
    await this.connection.withTransaction(ctx, async (inner) => {
      const [pending] = (await this.findPayments(inner, method.code, checkoutId)).filter(({ state }) => state === PENDING);
      if (pending) await this.payments.cancelPayment(inner, pending.id);
    });
  }

  /**
   * Tells people about a charge that pays a checkout again, or whose operator contradicts its outcome. Tua reports a checkout as
   * paid once, also where a second charge of it brings money, which is possible after a contradiction.
   */
  async flagCharge(ctx: RequestContext, { code }: TuaMethod, type: Event["type"], charge: Transaction): Promise<void> {
    const { transactionId, checkoutId, amount, reference } = charge;
    // No payment of this plug-in has a charge without a checkout.
    if (checkoutId === null) return;
    const found = await this.findPayments(ctx, code, checkoutId);
    const settled = found.find(({ state }) => state === "Settled");
    const paid = settled && readMetadata(settled)?.tuaCharge;
    let note = `The operator contradicts the outcome of charge ${transactionId} of GHS ${amount}. Look at it in Tua's dashboard.`;
    if (paid !== undefined && paid !== transactionId && isReceived(charge)) {
      const second = `GHS ${amount} of charge ${transactionId} arrived too, and charge ${paid} has paid the order.`;
      note = `${second} Refund one of them in Tua's dashboard.`;
    } else if (type !== "charge.conflict") return;
    const order = found[0]?.order ?? (await this.findOrder(ctx, charge, checkoutId));
    if (order) await this.attention.flag(ctx, order.id, reference, note);
  }

  /** People must see money that no pending payment waits for. */
  private async flagUnexpected(ctx: RequestContext, found: Payment[], checkout: Checkout, sum: string): Promise<void> {
    const order = found[0]?.order ?? (await this.findOrder(ctx, checkout, checkout.checkoutId));
    if (!order) return;
    const problem = found[0] ? " for a payment that is cancelled" : ", and the order has no such payment";
    const note = `${sum} arrived${problem}. Refund it in Tua's dashboard.`;
    await this.attention.flag(ctx, order.id, checkout.reference, note);
  }

  /**
   * The order of a checkout that has no payment of the method; undefined if another program of the account opened it, or another
   * method of this shop, to whose endpoint Tua sends the same event.
   */
  private async findOrder(
    ctx: RequestContext,
    { reference, metadata }: Pick<Checkout, "reference" | "metadata">,
    checkoutId: string,
  ): Promise<Order | undefined> {
    if (metadata?.["vendureOrder"] !== reference) return undefined;
    const isOfAnother = (await this.connection.getRepository(ctx, Payment).count({ where: { transactionId: checkoutId } })) > 0;
    return isOfAnother ? undefined : this.orders.findOneByCode(ctx, reference);
  }

  /** People must see a payment that the order does not need, or that does not cover it. */
  private async checkOrder(ctx: RequestContext, orderId: ID, sum: string): Promise<void> {
    const order = await this.orders.findOne(ctx, orderId, ["payments", "payments.refunds"]);
    if (!order) return;
    const total = coveredSum(order.payments);
    const tell = (what: string) => this.attention.flag(ctx, orderId, order.code, `${sum} arrived, ${what}`);
    if (total > order.totalWithTax) await tell("and the order was paid already. Refund one of its payments.");
    if (total < order.totalWithTax) await tell("which does not cover the order.");
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
