import { fromPesewas, toPesewas, TuaUsageError } from "@tua-pay/node";
import {
  ConfigService,
  LanguageCode,
  Logger,
  Payment,
  PaymentMethodHandler,
  PaymentService,
  TransactionalConnection,
  type CreatePaymentErrorResult,
  type CreatePaymentResult,
  type Injector,
  type Order,
  type RequestContext,
} from "@vendure/core";
import {
  ALREADY_PAID,
  closeCheckout,
  NOT_CONFIRMED,
  NOTHING_BEGAN,
  openCheckout,
  PaymentRefusal,
  toRefusal,
  UNKNOWN,
} from "./checkouts.js";
import { connect, modeOf, readReturnUrl, type TuaArgs } from "./connection.js";
import { coveredSum } from "./covered-sum.js";
import { LOG_CONTEXT } from "./log-context.js";
import { PENDING, readMetadata, type TuaMetadata } from "./payment-state.js";
import { refundCharge } from "./refunds.js";

let connection: TransactionalConnection;
let payments: PaymentService;
let config: ConfigService;

/** Mobile-money payments through Tua. Its fields are in the Admin UI. */
export const tuaPaymentHandler = new PaymentMethodHandler({
  code: "tua",
  description: [
    { languageCode: LanguageCode.en, value: "Mobile money in Ghana (Tua)" },
    { languageCode: LanguageCode.fr, value: "Mobile money au Ghana (Tua)" },
  ],
  args: {
    secretKey: {
      type: "string",
      ui: { component: "password-form-input" },
      label: [
        { languageCode: LanguageCode.en, value: "Secret key" },
        { languageCode: LanguageCode.fr, value: "Clé secrète" },
      ],
      description: [
        { languageCode: LanguageCode.en, value: "tua_test_v2_… for test payments, tua_live_v2_… for real ones" },
        { languageCode: LanguageCode.fr, value: "tua_test_v2_… pour des paiements de test, tua_live_v2_… pour des vrais" },
      ],
    },
    baseUrl: {
      type: "string",
      label: [
        { languageCode: LanguageCode.en, value: "API root" },
        { languageCode: LanguageCode.fr, value: "Racine de l'API" },
      ],
      description: [
        { languageCode: LanguageCode.en, value: "Such as https://pay.example/v1" },
        { languageCode: LanguageCode.fr, value: "P. ex. https://pay.example/v1" },
      ],
    },
    webhookSecret: {
      type: "string",
      ui: { component: "password-form-input" },
      label: [
        { languageCode: LanguageCode.en, value: "Webhook secret" },
        { languageCode: LanguageCode.fr, value: "Secret du webhook" },
      ],
      description: [
        { languageCode: LanguageCode.en, value: "whsec_…; during a rotation the new and the old one, separated by a space" },
        { languageCode: LanguageCode.fr, value: "whsec_… ; pendant une rotation le nouveau et l'ancien, séparés par un blanc" },
      ],
    },
    returnUrl: {
      type: "string",
      label: [
        { languageCode: LanguageCode.en, value: "Page to return to" },
        { languageCode: LanguageCode.fr, value: "Page de retour" },
      ],
      description: [
        { languageCode: LanguageCode.en, value: "The storefront's page to which the hosted page links back" },
        { languageCode: LanguageCode.fr, value: "La page de la boutique vers laquelle la page de paiement renvoie" },
      ],
    },
  },

  init(injector: Injector) {
    connection = injector.get(TransactionalConnection);
    payments = injector.get(PaymentService);
    config = injector.get(ConfigService);
  },

  async createPayment(ctx, order, _amount, args, metadata, method) {
    try {
      return await createPayment(ctx, order, args, metadata["returnUrl"], method.code);
    } catch (error) {
      return { amount: 0, state: "Declined", errorMessage: toSentence(error, order.code) };
    }
  },

  /** Asks what happened, and records what was paid. A payment that is not made stays as it is. */
  async settlePayment(_ctx, _order, payment, args) {
    const stored = readMetadata(payment);
    if (!stored) return { success: false, state: keep(payment), errorMessage: "This payment has no checkout of Tua." };
    try {
      const checkout = await connect(args).checkouts.get(stored.tuaCheckout);
      const charge = checkout.paidTransaction;
      if (checkout.status !== "PAID" || charge === null) return { success: false, state: keep(payment), errorMessage: NOT_CONFIRMED };
      if (checkout.currency !== "GHS")
        return { success: false, state: keep(payment), errorMessage: "Another currency was paid." };
      payment.amount = Number(toPesewas(checkout.amount));
      const hidden = { ...stored.public, checkoutToken: null, url: null };
      const settled: Partial<TuaMetadata> = { public: hidden, tuaCharge: charge.transactionId };
      return { success: true, metadata: settled };
    } catch (error) {
      return { success: false, state: keep(payment), errorMessage: toRefusal(error, UNKNOWN).message };
    }
  },

  /** Closes the checkout. A payment that is pending or paid stays as it is. */
  async cancelPayment(ctx, _order, payment, args) {
    const stored = readMetadata(payment);
    if (!stored) return { success: true };
    if (payment.state === "Settled") {
      return { success: false, state: keep(payment), errorMessage: "The money has arrived. Refund the payment instead." };
    }
    const errorMessage = await closeCheckout(args, stored);
    // Two tabs that began at the same moment share a checkout, and its money is recorded with the other payment.
    const isRecorded = errorMessage === ALREADY_PAID && (await isSettled(ctx, stored.tuaCheckout));
    if (errorMessage !== undefined && !isRecorded) return { success: false, state: keep(payment), errorMessage };
    return { success: true, metadata: { public: { ...stored.public, checkoutToken: null, url: null } } };
  },

  async createRefund(ctx, _input, amount, _order, payment, args) {
    const tuaCharge = readMetadata(payment)?.tuaCharge;
    const message = "This payment has no charge at Tua that could be refunded.";
    if (!tuaCharge) return { state: "Failed", metadata: { message } };
    const wanted = { paymentId: payment.id, tuaCharge, amount: fromPesewas(amount) };
    return refundCharge(connect(args), connection, ctx, wanted);
  },
});

async function createPayment(
  ctx: RequestContext,
  order: Order,
  args: TuaArgs,
  wantedReturnUrl: unknown,
  methodCode: string,
): Promise<CreatePaymentResult | CreatePaymentErrorResult> {
  checkCurrency(order.currencyCode);
  const returnUrl = readReturnUrl(args, wantedReturnUrl);
  if (returnUrl === undefined)
    throw new PaymentRefusal("metadata.returnUrl must be a page of the origin of the payment method's page.");
  const email = order.customer?.emailAddress;
  if (!email) throw new PaymentRefusal("A mobile money payment needs the customer's e-mail address.");
  const earlier = await connection
    .getRepository(ctx, Payment)
    .find({ where: { order: { id: order.id } }, relations: { refunds: true } });
  await cancelPending(ctx, earlier);
  const requested = order.totalWithTax - coveredSum(earlier);
  if (requested <= 0) throw new PaymentRefusal(ALREADY_PAID);
  const attempt = earlier.filter(({ method }) => method === methodCode).length;
  const opened = await openCheckout(connect(args), { orderCode: order.code, attempt, pesewas: requested, email, returnUrl });
  const metadata: TuaMetadata = {
    tuaCheckout: opened.checkoutId,
    requested,
    public: {
      checkoutToken: opened.checkoutToken,
      url: opened.url,
      expiresAt: opened.expiresAt,
      amount: fromPesewas(requested),
      mode: modeOf(args),
    },
  };
  // Nothing is paid yet. Vendure would count the amount of any other payment than 0 as covered.
  return { amount: 0, state: PENDING, transactionId: opened.checkoutId, metadata };
}

/** What the payer reads. A wrong field of the payment method is for the people of the shop, so it is in the log. */
function toSentence(error: unknown, orderCode: string): string {
  if (error instanceof PaymentRefusal) return error.message;
  if (!(error instanceof TuaUsageError)) throw error;
  Logger.error(`Order ${orderCode}: ${error.message}`, LOG_CONTEXT);
  return NOTHING_BEGAN;
}

/** The order has at most one checkout that can be paid: the others are closed, or no new one begins. */
async function cancelPending(ctx: RequestContext, earlier: Payment[]): Promise<void> {
  for (const payment of earlier.filter((payment) => payment.state === PENDING && readMetadata(payment))) {
    const cancelled = await payments.cancelPayment(ctx, payment.id);
    const isCancelled = cancelled instanceof Payment && cancelled.state === "Cancelled";
    if (!isCancelled) throw new PaymentRefusal((cancelled instanceof Payment && cancelled.errorMessage) || UNKNOWN);
  }
}

/** Whether the money of a checkout is recorded. */
async function isSettled(ctx: RequestContext, transactionId: string): Promise<boolean> {
  return (await connection.getRepository(ctx, Payment).count({ where: { transactionId, state: "Settled" } })) > 0;
}

function checkCurrency(currencyCode: string): void {
  if (currencyCode !== "GHS") {
    throw new PaymentRefusal(
      `Mobile money is paid in Ghana cedis (GHS), and this order is in ${currencyCode}. Choose another payment method.`,
    );
  }
  if ((config.entityOptions.moneyStrategy.precision ?? 2) !== 2) {
    throw new PaymentRefusal("The shop's moneyStrategy has another precision than 2, so its amounts are not whole pesewas.");
  }
}

/** The state that a payment has, where nothing changes. */
function keep(payment: Payment): Exclude<Payment["state"], "Settled" | "Cancelled"> {
  return payment.state as Exclude<Payment["state"], "Settled" | "Cancelled">;
}
