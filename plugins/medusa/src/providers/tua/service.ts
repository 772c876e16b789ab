import { AbstractPaymentProvider, MathBN, MedusaError, PaymentActions, PaymentSessionStatus } from "@medusajs/framework/utils";
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types";
import type { Checkout } from "@tua-pay/node";
import { PAYMENT_ID, SESSION_DATA } from "../../question.js";
import { reportToPeople } from "./attention.js";
import { actionOf, readState, sessionStatusOf, type CheckoutNow } from "./checkout-state.js";
import { askCheckout, closeCheckout, openCheckout } from "./checkouts.js";
import { NOT_CONFIRMED } from "./faults.js";
import { askAboutRefunds, reportRefund, type RefundEvent } from "./late-refunds.js";
import { connect, type Connection, type TuaOptions } from "./options.js";
import { checkMoney, isOfMedusa, reportCharge } from "./payment-reports.js";
import { medusaRefundOf, refund } from "./refunds.js";
import type { PaymentModuleContainer } from "./rows.js";
import {
  checkCurrency,
  isSessionData,
  readData,
  readEmail,
  readReturnUrl,
  readSessionId,
  toCedis,
  type SessionData,
} from "./session-data.js";

const { PAYMENT_AUTHORIZATION_ERROR, PAYMENT_REQUIRES_MORE_ERROR, NOT_ALLOWED } = MedusaError.Types;
const TEST_IS_OVER = "The payment began in test mode, so no money moved. Begin the payment again.";

/** What this plug-in asks through the method for webhooks. */
interface Question {
  [SESSION_DATA]?: Record<string, unknown>;
  [PAYMENT_ID]?: string;
}

/** Mobile-money payments through Tua. */
export class TuaPaymentProvider extends AbstractPaymentProvider<TuaOptions> {
  static override identifier = "tua";

  readonly #connection: Connection;
  readonly #rows: PaymentModuleContainer;

  static override validateOptions(options: Record<string, unknown>): void {
    connect(options as unknown as TuaOptions);
  }

  constructor(container: Record<string, unknown>, options: TuaOptions) {
    super(container, options);
    this.#connection = connect(options);
    this.#rows = container as unknown as PaymentModuleContainer;
  }

  async initiatePayment({ amount, currency_code, data, context }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    checkCurrency(currency_code);
    const order = {
      sessionId: readSessionId(data),
      amount: toCedis(amount),
      email: readEmail(data, context),
      returnUrl: readReturnUrl(data, this.#connection.returnUrl),
    };
    const opened = await openCheckout(this.#connection, this.#rows, order);
    return { id: opened.checkout_id, status: PaymentSessionStatus.PENDING, data: opened };
  }

  /** A checkout has one amount, so another amount is another checkout. */
  async updatePayment({ amount, currency_code, data }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    checkCurrency(currency_code);
    const session = readData(data);
    const wanted = toCedis(amount);
    if (wanted === session.amount) return { data: session };
    await closeCheckout(this.#connection, session);
    const order = {
      sessionId: session.session_id,
      amount: wanted,
      email: session.email,
      returnUrl: session.return_url,
      previousAttempt: session.attempt,
    };
    return { data: await openCheckout(this.#connection, this.#rows, order) };
  }

  async authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const session = readData(data);
    const { state, checkout, charge } = await askCheckout(this.#connection, session).catch((error: unknown) => {
      throw toRequiresMore(error);
    });
    if (!checkout) throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, TEST_IS_OVER);
    switch (state) {
      case "PAID": {
        await this.#checkPaid(checkout, session.amount);
        const transactionId = charge?.transactionId ?? null;
        const paid = { ...session, checkout_token: null, url: null, transaction_id: transactionId };
        return { status: PaymentSessionStatus.CAPTURED, data: paid };
      }
      case "OPEN":
        throw new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, "The mobile money payment is not made yet.");
      case "PENDING":
        throw new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, NOT_CONFIRMED);
      case "REFUNDED":
        throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "The payment was refunded. Begin the payment again.");
      case "EXPIRED":
      case "CLOSED":
        throw new MedusaError(
          PAYMENT_AUTHORIZATION_ERROR,
          "The payment was not made in time. No money moved. Begin the payment again.",
        );
    }
  }

  /** Mobile money is collected at once: what is paid is captured. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const session = readData(data);
    const { checkout } = await askCheckout(this.#connection, session);
    if (checkout?.status !== "PAID") throw new MedusaError(NOT_ALLOWED, NOT_CONFIRMED);
    return { data: session };
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const session = readData(data);
    await closeCheckout(this.#connection, session);
    return { data: { ...session, checkout_token: null, url: null } };
  }

  /** Medusa deletes a session when the cart changes. One that may still be paid is kept: this throws. */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    if (isSessionData(data)) await closeCheckout(this.#connection, data);
    return {};
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const session = readData(data);
    const { state } = await askCheckout(this.#connection, session);
    return { status: sessionStatusOf(state), data: session };
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const session = readData(data);
    const { checkout } = await askCheckout(this.#connection, session);
    return { data: { ...(checkout ?? session) } };
  }

  async refundPayment({ amount, data, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const session = readData(data);
    const medusaRefundId = context?.idempotency_key;
    if (!medusaRefundId) throw new MedusaError(MedusaError.Types.INVALID_DATA, "Medusa gave no idempotency key for the refund.");
    const made = await refund(this.#connection.tua, this.#rows, session, toCedis(amount), medusaRefundId);
    return { data: { ...session, refunds: [...session.refunds, made] } };
  }

  async getWebhookActionAndData(payload: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    const question = payload.data as Question | undefined;
    if (question?.[SESSION_DATA]) return this.#answer(readData(question[SESSION_DATA]));
    if (question?.[PAYMENT_ID]) {
      await askAboutRefunds(this.#connection, this.#rows, question[PAYMENT_ID]);
      return { action: PaymentActions.NOT_SUPPORTED };
    }
    const event = this.#connection.webhook.verify(payload.rawData as Buffer | string, payload.headers as Record<string, string>);
    switch (event.type) {
      case "checkout.paid":
        // An event that comes again may be older than a refund, so the state of now counts.
        return this.#processPaid(await this.#connection.tua.checkouts.get(event.data.checkoutId));
      case "charge.successful":
      case "charge.conflict":
        await reportCharge(this.#rows, event.type, event.data);
        break;
      case "refund.failed":
      case "refund.conflict":
        await this.#reportRefund(event);
        break;
    }
    return { action: PaymentActions.NOT_SUPPORTED };
  }

  /** Answers a question of this plug-in. */
  async #answer(session: SessionData): Promise<WebhookActionResult> {
    const now = await askCheckout(this.#connection, session);
    if (now.checkout) return this.#toAction(now, now.checkout);
    const data = { session_id: session.session_id, amount: MathBN.convert(session.amount) };
    return { action: actionOf(now.state), data };
  }

  async #processPaid(checkout: Checkout): Promise<WebhookActionResult> {
    if (!isOfMedusa(checkout)) return { action: PaymentActions.NOT_SUPPORTED };
    return this.#toAction(await readState(this.#connection.tua, checkout), checkout);
  }

  async #toAction({ state, charge }: CheckoutNow, checkout: Checkout): Promise<WebhookActionResult> {
    const sessionId = checkout.reference;
    const [session] = await this.#rows.paymentSessionService.list({ id: sessionId });
    const action = actionOf(state);
    const isPaid = action === PaymentActions.SUCCESSFUL;
    const isAwaited = !isPaid || (await checkMoney(this.#rows, session, checkout, charge?.transactionId ?? ""));
    if (!session || !isAwaited) return { action: PaymentActions.NOT_SUPPORTED };
    return { action, data: { session_id: sessionId, amount: MathBN.convert(checkout.amount) } };
  }

  async #reportRefund(event: RefundEvent): Promise<void> {
    const medusaRefundId = medusaRefundOf(event.data);
    if (!medusaRefundId) return;
    // Where the failure was seen in time, Medusa has deleted its row, and the administrator has read why.
    const recorded = await this.#rows.refundService.list({ id: [medusaRefundId] }, { select: ["id"] });
    if (recorded.length === 0) return;
    await reportRefund(this.#rows, event.type, event.data);
  }

  async #checkPaid(checkout: Checkout, amount: string): Promise<void> {
    if (checkout.currency === "GHS" && checkout.amount === amount) return;
    const description = `Checkout ${checkout.checkoutId}: ${checkout.currency} ${checkout.amount} instead of GHS ${amount}.`;
    await reportToPeople(this.#rows, `amount-${checkout.checkoutId}`, "Another amount was paid", [description]);
    throw new MedusaError(PAYMENT_AUTHORIZATION_ERROR, "Another amount was paid. The shop was told.");
  }
}

/** No answer is no failure: the cart goes on waiting. */
function toRequiresMore(error: unknown): unknown {
  if (!(error instanceof MedusaError)) return error;
  return new MedusaError(PAYMENT_REQUIRES_MORE_ERROR, error.message);
}
