// Generated from docs/openapi.json by scripts/types.mjs. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An advance of the sandbox clock, and what has become due. It is done within about a second. */
        AdvancedSandboxClock: {
            due: components["schemas"]["BecameDue"];
            /**
             * Format: int64
             * @description By how many seconds the clock was advanced.
             */
            seconds: number;
        };
        /** @description By how much the sandbox clock is advanced. */
        AdvanceSandboxClockRequest: {
            seconds: components["schemas"]["ClockSeconds"];
        };
        /** @description An amount in cedis with at most 2 decimals. It is never rounded. A decimal string such as "10.50". */
        Amount: string;
        /**
         * @description PENDING, or COMPLETED once every payout of the batch is final.
         * @enum {string}
         */
        BatchStatus: "PENDING" | "COMPLETED";
        /** @description A payout of a batch that may be a mistake. */
        BatchWarning: {
            code: components["schemas"]["BatchWarningCode"];
            /**
             * @description The payout in the request, as a JSON pointer (RFC 6901).
             * @example /payouts/5
             */
            pointer: string;
            /**
             * @description The latest earlier payout of the same amount to the same wallet, in this batch or in the
             *     last 7 days.
             * @example txn_019aa5f0c2007d3e8a1b4c5d6e7f8091
             */
            transactionId: string;
        };
        /** @description Why a payout of a batch may be a mistake. repeated_payout: an earlier payout has the same amount and wallet. */
        BatchWarningCode: "repeated_payout" | (string & {});
        /** @description What an advance of the sandbox clock has made due. */
        BecameDue: {
            /**
             * Format: int64
             * @description Payouts and refunds that nobody approved in time.
             */
            approvals: number;
            /**
             * Format: int64
             * @description Checkout sessions whose time has ended.
             */
            checkouts: number;
            /**
             * Format: int64
             * @description Pending payments that are announced as delayed.
             */
            delayed: number;
            /**
             * Format: int64
             * @description Webhook deliveries that failed and are sent again.
             */
            deliveries: number;
            /**
             * Format: int64
             * @description Payment links whose time has ended.
             */
            links: number;
            /**
             * Format: int64
             * @description Pending payments about which the sandbox is asked.
             */
            payments: number;
        };
        /** @description How the merchant's pages look. A value is null if the merchant has not set it. */
        Branding: {
            /**
             * @description The accent colour, as `#rrggbb` in lower case.
             * @example #0a6a50
             */
            accent: string | null;
            /**
             * Format: uri
             * @description The logo: a PNG of at most 256 × 256 pixels. The address changes with the picture.
             */
            logoUrl: string | null;
        };
        /** @description A charge with a secret key. */
        ChargeRequest: {
            amount: components["schemas"]["Amount"];
            currency?: components["schemas"]["Currency"] | null;
            email?: components["schemas"]["Email"] | null;
            metadata?: components["schemas"]["Metadata"] | null;
            network: components["schemas"]["Network"];
            payeeNote?: components["schemas"]["Note"] | null;
            payerMessage?: components["schemas"]["Note"] | null;
            payerPays?: components["schemas"]["Amount"] | null;
            phoneNumber: components["schemas"]["PhoneNumber"];
            reference?: components["schemas"]["Reference"] | null;
        };
        /** @description A checkout session, as secret keys and webhooks see it. */
        Checkout: {
            amount: components["schemas"]["Amount"];
            /**
             * @description What the payer answered to the question of the payment link. Absent where nothing was asked.
             * @example Kofi Mensah, class 3B
             */
            answer?: string | null;
            /**
             * Format: int32
             * @description 5 minus the charges so far. Charges are accepted only while the session is open.
             */
            attemptsLeft: number;
            checkoutId: string;
            createdAt: components["schemas"]["Time"];
            currency: components["schemas"]["Currency"];
            /** @description The payer's e-mail address; null where the payer of a payment link gave none. */
            email: string | null;
            expiresAt: components["schemas"]["Time"];
            /** @description The payment link that opened the session. */
            linkId: string | null;
            metadata: components["schemas"]["Metadata"] | null;
            mode: components["schemas"]["LiveOrTest"];
            paidTransaction: components["schemas"]["Transaction"] | null;
            /** @description The merchant's own name for the session. Generated where the request had none. */
            reference: string;
            /**
             * @description The address that the hosted page offers to go back to. Null without one.
             * @example https://shop.example/thanks
             */
            returnUrl: string | null;
            status: components["schemas"]["CheckoutStatus"];
            transaction: components["schemas"]["Transaction"] | null;
        };
        /**
         * @description A charge with a checkout token. The session defines everything else.
         * @example {
         *       "network": "MTN",
         *       "payerPays": 10.71,
         *       "phoneNumber": "0241234567"
         *     }
         */
        CheckoutChargeRequest: {
            amount?: components["schemas"]["Amount"] | null;
            currency?: components["schemas"]["Currency"] | null;
            network: components["schemas"]["Network"];
            payerPays?: components["schemas"]["Amount"] | null;
            phoneNumber: components["schemas"]["PhoneNumber"];
        };
        /** @description One page of checkout sessions. */
        CheckoutListing: {
            /** @description The sessions of this page, newest first. */
            data: components["schemas"]["Checkout"][];
            /** @description The cursor of the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description How a network is served for the charges of payers. */
        CheckoutNetwork: {
            /** @description Whether the network has ended: its numbers go on with another network, which the payer
             *     chooses. */
            ended: boolean;
            fee: components["schemas"]["Fee"] | null;
            network: components["schemas"]["Network"];
            payerPays: components["schemas"]["Amount"] | null;
            /** @description The operator's instructions for a payer who sees no prompt: plain text by language, at most
             *     300 characters each. Null where the operator has none. */
            promptInstructions: {
                [key: string]: string;
            } | null;
            /** @description DOWN: a charge on this network would be refused now. */
            status: components["schemas"]["NetworkStatus"];
        };
        /**
         * @description A charge of the token's checkout whose price is asked.
         * @example {
         *       "network": "MTN"
         *     }
         */
        CheckoutQuoteRequest: {
            amount?: components["schemas"]["Amount"] | null;
            currency?: components["schemas"]["Currency"] | null;
            network: components["schemas"]["Network"];
            type?: components["schemas"]["PaymentType"] | null;
        };
        /** @description A new checkout session. */
        CheckoutRequest: {
            amount: components["schemas"]["Amount"];
            currency?: components["schemas"]["Currency"] | null;
            email: components["schemas"]["Email"];
            metadata?: components["schemas"]["Metadata"] | null;
            reference?: components["schemas"]["Reference"] | null;
            returnUrl?: components["schemas"]["ReturnUrl"] | null;
        };
        /**
         * @description The status of a session. PENDING: a charge is not final yet. EXPIRED and CLOSED: it was not paid, and takes no charge.
         * @enum {string}
         */
        CheckoutStatus: "OPEN" | "PENDING" | "PAID" | "EXPIRED" | "CLOSED";
        /**
         * @description By how many seconds the sandbox clock is advanced: at most 366 days.
         * @example 1860
         */
        ClockSeconds: number;
        /** @description A passcode or voucher for a transaction. */
        CodeRequest: {
            otp: components["schemas"]["Otp"];
            /** @description The id of the transaction that waits for it. */
            transactionId: string;
        };
        /** @description A final response that contradicts the final status. The status does not change. People must look
         *     at it. */
        Conflict: {
            at: components["schemas"]["Time"];
            decision: components["schemas"]["Status"] | null;
            observed: components["schemas"]["Status"];
        };
        /**
         * @description The only currency.
         * @default GHS
         * @enum {string}
         */
        Currency: "GHS";
        /**
         * @description More for payers to read: one line of at most 500 characters.
         * @example One robe, sewn to measure.
         */
        Description: string;
        /**
         * Format: email
         * @description An e-mail address.
         * @example ama@example.com
         */
        Email: string;
        /** @description A webhook endpoint that was enabled. */
        EnabledWebhookEndpoint: components["schemas"]["WebhookEndpoint"] & {
            /**
             * Format: int64
             * @description How many events were recorded while it was disabled. With `resend` they are sent now.
             * @example 12
             */
            recordedEvents: number;
        };
        /** @description How an endpoint is enabled. */
        EnableWebhookEndpointRequest: {
            resend?: components["schemas"]["ResendRecorded"] | null;
        };
        /** @description The status of a webhook endpoint. DISABLED: its events are recorded, and not sent. REMOVED: it receives no more events. */
        EndpointStatus: "ENABLED" | "DISABLED" | "REMOVED" | (string & {});
        /**
         * Format: url
         * @description The address that events are sent to: https, in test mode also http; without a user name and without a fragment.
         * @example https://shop.example/webhooks
         */
        EndpointUrl: string;
        /** @description An event in the list of events: its id, and the members that its webhook has. */
        Event: {
            /** @description The transaction, refund or session at the time of the event, as its webhook has it. Null if
             *     the service cannot read it. */
            data: Record<string, never> | null;
            /**
             * @description The `webhook-id` of the event's webhooks.
             * @example msg_019aa5f0c2007d3e8a1b4c5d6e7f8097
             */
            eventId: string;
            /** @description The time of the event. */
            timestamp: components["schemas"]["Time"];
            /**
             * @description The type of the event, such as `charge.successful`.
             * @example charge.successful
             */
            type: string;
        };
        /** @description One page of events. */
        EventListing: {
            /** @description The events of this page: newest first, or oldest first with `after`. */
            data: components["schemas"]["Event"][];
            /** @description The cursor of the next page. Null on the last page, and with `after`: continue after the
             *     last event. */
            nextCursor: string | null;
        };
        /**
         * @description The status of a session that has ended. PENDING: money may be moving, so do not pay again. CLOSED: the merchant closed it.
         * @enum {string}
         */
        ExpiredCheckoutStatus: "OPEN" | "PENDING" | "PAID" | "CLOSED";
        /** @description Why the payment failed. */
        Failure: {
            code: components["schemas"]["FailureReason"];
            /**
             * @description A text for people.
             * @example The payer declined. No money moved.
             */
            message: string;
            /** @description Whether a new transaction with the same data may succeed. */
            retryable: boolean;
        };
        /** @description Why a payment did not happen. No money moved. */
        FailureReason: "insufficient_funds" | "customer_rejected" | "approval_timeout" | "wrong_pin" | "otp_attempts_exhausted" | "payer_not_found" | "recipient_not_found" | "payer_limit" | "recipient_limit" | "not_sent" | "approval_refused" | "cancelled" | "payer_busy" | "merchant_float_low" | "network_unavailable" | "operator_refused" | "unspecified" | (string & {});
        /** @description One fault of a request, as a problem document lists it. */
        Fault: {
            /** @description The stable code, for programs. */
            code: components["schemas"]["ProblemCode"];
            /** @description A sentence about this fault, for people. */
            detail: string;
            /**
             * @description Where the fault is, as a JSON pointer (RFC 6901).
             * @example /amount
             */
            pointer: string;
        };
        /** @description A fee in GHS, with at most 2 decimals. A decimal string such as "10.50". */
        Fee: string;
        /**
         * Format: date-time
         * @description A time in the future, with its offset from UTC (ISO 8601).
         * @example 2026-12-31T23:59:59Z
         */
        FutureTime: string;
        /** @description A payment link: its terms, its address, and what has been paid with it. */
        Link: {
            amount: components["schemas"]["Amount"] | null;
            /**
             * @description What payers can type at /l instead: 8 characters without 0, O, 1, I and L. Case, spaces and
             *     dashes do not matter.
             * @example K7QM3XTA
             */
            code: string;
            createdAt: components["schemas"]["Time"];
            currency: components["schemas"]["Currency"];
            /**
             * @description More for payers to read.
             * @example One robe, sewn to measure.
             */
            description: string | null;
            expiresAt: components["schemas"]["Time"] | null;
            /** @example lnk_019aa5f0c2007d3e8a1b4c5d6e7f8096 */
            linkId: string;
            maxAmount: components["schemas"]["Amount"] | null;
            metadata: components["schemas"]["Metadata"] | null;
            minAmount: components["schemas"]["Amount"] | null;
            mode: components["schemas"]["LiveOrTest"];
            /** @description The sum of these charges, in GHS; 0 before the first one. */
            paidAmount: components["schemas"]["Sum"];
            /**
             * Format: int64
             * @description How many charges of the link are SUCCESSFUL.
             * @example 12
             */
            payments: number;
            /**
             * Format: uri
             * @description A picture of the URL as a QR code, in SVG.
             * @example https://pay.example.com/l/K7QM3XTA.svg
             */
            qr: string;
            /**
             * @description What payers must answer before they pay. Absent where nothing is asked.
             * @example Name of the pupil
             */
            question?: string | null;
            /**
             * @description The merchant's reference. The link's sessions and charges have it too.
             * @example choir-2026
             */
            reference: string;
            status: components["schemas"]["LinkStatus"];
            /**
             * @description What payers read first.
             * @example Adom choir: robe
             */
            title: string;
            /**
             * Format: uri
             * @description The page on which payers pay.
             * @example https://pay.example.com/l/K7QM3XTA
             */
            url: string;
            uses: components["schemas"]["LinkUses"];
        };
        /** @description One page of payment links. */
        LinkListing: {
            /** @description The links of this page, newest first. */
            data: components["schemas"]["Link"][];
            /** @description The cursor of the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A new payment link. */
        LinkRequest: {
            amount?: components["schemas"]["Amount"] | null;
            description?: components["schemas"]["Description"] | null;
            expiresAt?: components["schemas"]["FutureTime"] | null;
            maxAmount?: components["schemas"]["Amount"] | null;
            metadata?: components["schemas"]["Metadata"] | null;
            minAmount?: components["schemas"]["Amount"] | null;
            question?: components["schemas"]["Question"] | null;
            reference?: components["schemas"]["Reference"] | null;
            title: components["schemas"]["Title"];
            uses?: components["schemas"]["LinkUses"] | null;
        };
        /** @description The status of a payment link. USED: it could be paid once, and was paid. */
        LinkStatus: "OPEN" | "CLOSED" | "USED" | "EXPIRED" | (string & {});
        /**
         * @description How often the link can be paid. single: once; over all its sessions at most one charge is not FAILED.
         * @default many
         */
        LinkUses: "many" | "single" | (string & {});
        /** @description One page of transactions. */
        Listing: {
            /** @description The transactions of this page, newest first. */
            data: components["schemas"]["Transaction"][];
            /** @description The cursor of the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @description Whether real money moves (live) or the sandbox answers (test).
         * @enum {string}
         */
        LiveOrTest: "test" | "live";
        /** @description An attempt to deliver a webhook. */
        LoggedDelivery: {
            /**
             * Format: int32
             * @description 1 for the first attempt.
             */
            attempt: number;
            /** @example whd_019aa5f0c2007d3e8a1b4c5d6e7f809a */
            deliveryId: string;
            /** @example whe_019aa5f0c2007d3e8a1b4c5d6e7f8098 */
            endpointId: string;
            /**
             * @description The `webhook-id`.
             * @example msg_019aa5f0c2007d3e8a1b4c5d6e7f809b
             */
            eventId: string;
            /**
             * @description Why the attempt failed. Null where it succeeded.
             * @example the endpoint answered 500
             */
            fault: string | null;
            /**
             * Format: int32
             * @description The HTTP status of the response. Null where there was none.
             */
            httpStatus: number | null;
            /**
             * Format: int64
             * @description The position among requests and deliveries.
             */
            number: number;
            /**
             * @description The charge, payout, refund, checkout session or endpoint that the event is about.
             * @example txn_019aa5f0c2007d3e8a1b4c5d6e7f809c
             */
            resourceId: string;
            /**
             * @description The beginning of the response's body, 512 bytes at most, on one line. Null where it was
             *     empty, or there was no response.
             * @example the signature does not match
             */
            response: string | null;
            time: components["schemas"]["Time"];
            /**
             * @description The type of the event.
             * @example charge.successful
             */
            type: string;
        };
        /** @description A response of the API. */
        LoggedRequest: {
            /**
             * @description The code of the problem. Null where the request was not refused.
             * @example invalid_amount
             */
            code: string | null;
            /**
             * Format: int64
             * @description How many milliseconds the response took.
             */
            durationMs: number;
            /**
             * @description The secret key. Null where the request had a checkout token.
             * @example key_019aa5f0c2007d3e8a1b4c5d6e7f8097
             */
            keyId: string | null;
            /** @example POST */
            method: string;
            /**
             * Format: int64
             * @description The position among requests and deliveries.
             */
            number: number;
            /** @example req_019aa5f0c2007d3e8a1b4c5d6e7f8099 */
            requestId: string;
            /**
             * @description The charge, payout, refund or checkout session that the request created, or submitted a code
             *     for. Null for other requests.
             * @example txn_019aa5f0c2007d3e8a1b4c5d6e7f809c
             */
            resourceId: string | null;
            /**
             * @description The path, with the names of its parameters in place of their values.
             * @example /v1/status/{transaction_id}
             */
            route: string;
            /** Format: int32 */
            status: number;
            time: components["schemas"]["Time"];
        };
        /** @description What happened in test mode of an account since an earlier request. */
        LogPage: {
            /** @description Attempts to deliver webhooks, oldest first. */
            deliveries: components["schemas"]["LoggedDelivery"][];
            /**
             * Format: int64
             * @description Send it as `after` to continue.
             */
            last: number;
            /**
             * Format: int64
             * @description How many entries before these are gone.
             */
            missed: number;
            /** @description Responses of the API, oldest first. */
            requests: components["schemas"]["LoggedRequest"][];
        };
        /** @description The members that only secret keys and webhooks show. */
        MerchantsPart: {
            /**
             * @description What the payer answered to the question of the payment link. Absent where nothing was asked.
             * @example Kofi Mensah, class 3B
             */
            answer?: string | null;
            /**
             * @description The batch of payouts that it is a line of.
             * @example bat_019aa5f0c2007d3e8a1b4c5d6e7f8096
             */
            batchId: string | null;
            conflict: components["schemas"]["Conflict"] | null;
            /** @description The payer's or recipient's e-mail address. */
            email: string | null;
            metadata: components["schemas"]["Metadata"] | null;
            /**
             * @description The operator that serves it, by its name in the settings. Null in the sandbox, and while it
             *     waits for an approval.
             * @example mtn
             */
            operator: string | null;
            operatorFee: components["schemas"]["Fee"] | null;
            /** @description For a charge: a private note of the merchant. For a payout: a text that the recipient sees. */
            payeeNote: string | null;
            /** @description For a charge: a text that the payer sees. For a payout: a private note of the merchant. */
            payerMessage: string | null;
            refundableAmount: components["schemas"]["Sum"] | null;
            refundedAmount: components["schemas"]["Sum"] | null;
            reversedAt: components["schemas"]["Time"] | null;
        };
        /**
         * @description The merchant's own data: at most 50 keys of at most 64 characters, 8 KiB of JSON in all. No control characters, except tabs and line ends in values. It comes back as it was sent.
         * @example {
         *       "order": 17
         *     }
         */
        Metadata: {
            [key: string]: unknown;
        };
        /** @description A mobile-money network of Ghana. A number's prefix does not decide it: numbers are portable. */
        Network: "MTN" | "TELECEL" | "AIRTELTIGO" | (string & {});
        /** @description How the networks are served. */
        Networks: {
            /** @description MTN, TELECEL and AIRTELTIGO, in this order. */
            data: components["schemas"]["NetworkServices"][];
        };
        /** @description How a network is served in one direction. */
        NetworkService: {
            max: components["schemas"]["Amount"] | null;
            min: components["schemas"]["Amount"] | null;
            /** @description OPERATIONAL: as usual. DEGRADED: slower, or by a later choice. DOWN: not now, or not at all. */
            status: components["schemas"]["NetworkStatus"];
        };
        /** @description How a network is served. */
        NetworkServices: {
            charge: components["schemas"]["NetworkService"];
            /** @description Whether the network has ended, so that no new payment can begin on it any more. It is DOWN
             *     in both directions. */
            ended: boolean;
            movedTo: components["schemas"]["Network"] | null;
            network: components["schemas"]["Network"];
            payout: components["schemas"]["NetworkService"];
        };
        /** @description How a network is served: DEGRADED is slower than usual, or by a later choice; DOWN is not now, or not at all. */
        NetworkStatus: "OPERATIONAL" | "DEGRADED" | "DOWN" | (string & {});
        /** @description What a pending transaction waits for. APPROVE_IN_DASHBOARD: a payout or refund that a person must approve. WAIT: it was sent, and the outcome is not known yet. NONE: it is final. */
        NextAction: "APPROVE_ON_PHONE" | "ENTER_OTP" | "ENTER_VOUCHER" | "APPROVE_IN_DASHBOARD" | "WAIT" | "NONE" | (string & {});
        /** @description One line of at most 160 characters. */
        Note: string;
        /** @description A session that was just created, with its token. */
        OpenedCheckout: {
            /** @example chk_019aa5f0c2007d3e8a1b4c5d6e7f8092 */
            checkoutId: string;
            /**
             * @description The token for the checkout component. It is valid for 30 minutes, and returned here only.
             * @example tua_checkout_Xo3kP0d7m1y1nC5vWc9lq2rB8sT4uE6hJfKzLxVbNaM
             */
            checkoutToken: string;
            /** @description When the token expires, in test mode on the account's sandbox clock. */
            expiresAt: components["schemas"]["Time"];
            /**
             * @description The merchant's own name for the session. Generated where the request had none.
             * @example order-17
             */
            reference: string;
            /**
             * Format: uri
             * @description The hosted payment page of this session.
             */
            url: string;
        };
        /**
         * @description The passcode, or Telecel's voucher, that the payer gave: 4-10 ASCII letters or digits. White space around it is ignored. In test mode 123456 is right.
         * @example 123456
         */
        Otp: string;
        /**
         * @description How many hours the previous secret also signs, at most 90 days. 0 ends it at once.
         * @default 24
         */
        OverlapHours: number;
        /** @description A checkout session, as returned to the bearer of its token. */
        PayersCheckout: {
            amount: components["schemas"]["Amount"];
            /**
             * Format: int32
             * @description 5 minus the charges so far. Charges are accepted only while the session is open.
             * @example 4
             */
            attemptsLeft: number;
            branding: components["schemas"]["Branding"];
            /** @example chk_019aa5f0c2007d3e8a1b4c5d6e7f8092 */
            checkoutId: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description The first letter and the domain of the payer's e-mail address; null where the payer of a
             *     payment link gave none.
             * @example a***@example.com
             */
            email: string | null;
            /** @description When the token expires: 30 minutes after the session was created. In test mode on the
             *     account's sandbox clock, as `Date` is. */
            expiresAt: components["schemas"]["Time"];
            /**
             * @description The merchant's name, as payers read it.
             * @example Adom Stores
             */
            merchant: string;
            mode: components["schemas"]["LiveOrTest"];
            /** @description MTN, TELECEL and AIRTELTIGO, in this order. */
            networks: components["schemas"]["CheckoutNetwork"][];
            /**
             * @description The merchant's own name for the session. Generated where the request had none.
             * @example order-17
             */
            reference: string;
            /**
             * @description The address that the hosted page offers to go back to. Null without one.
             * @example https://shop.example/thanks
             */
            returnUrl: string | null;
            status: components["schemas"]["PayersCheckoutStatus"];
            transaction: components["schemas"]["PayersTransaction"] | null;
        };
        /**
         * @description OPEN, or PAID once a charge of the session has succeeded.
         * @enum {string}
         */
        PayersCheckoutStatus: "OPEN" | "PAID";
        /** @description A charge or payout, as a checkout token sees it. */
        PayersTransaction: {
            amount: components["schemas"]["Amount"];
            /** @description The checkout session of the charge, or null. */
            checkoutId: string | null;
            /**
             * Format: int32
             * @description How many codes may still be submitted. Null if no code is expected.
             */
            codeAttemptsLeft: number | null;
            createdAt: components["schemas"]["Time"];
            currency: components["schemas"]["Currency"];
            failure: components["schemas"]["Failure"] | null;
            mode: components["schemas"]["LiveOrTest"];
            network: components["schemas"]["Network"];
            nextAction: components["schemas"]["NextAction"];
            /**
             * @description The operator's id of the transaction, as in the payer's SMS. Null until it is known.
             * @example 1234567890
             */
            operatorTransactionId: string | null;
            /** @description What the operator is asked for: the amount, and the fee where the payer bears it. */
            payerPays: components["schemas"]["Amount"];
            /**
             * @description The payer's or recipient's number. For a checkout token, only the last three digits are
             *     readable.
             * @example 0241234567
             */
            phoneNumber: string;
            /**
             * @description The merchant's own name for the payment. Generated where the request had none.
             * @example order-17
             */
            reference: string;
            status: components["schemas"]["Status"];
            /**
             * @description The identifier, for `GET /v1/status/{transactionId}` and `POST /v1/submit-otp`.
             * @example txn_019aa5f0c2007d3e8a1b4c5d6e7f8091
             */
            transactionId: string;
            type: components["schemas"]["TransactionType"];
            /** @description When the transaction last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A transaction, with a text about the request, as a checkout token sees it. */
        PayersTransactionWithMessage: components["schemas"]["PayersTransaction"] & {
            /**
             * @description The result of the request, for people.
             * @example Started. The payer must approve it on the phone.
             */
            message: string;
        };
        /**
         * @description CHARGE from a payer to the merchant, or PAYOUT from the merchant to a recipient.
         * @enum {string}
         */
        PaymentType: "CHARGE" | "PAYOUT";
        /** @description A batch of payouts. */
        PayoutBatch: {
            /**
             * @description The identifier, for GET /v1/payouts/batches/{batchId}.
             * @example bat_019aa5f0c2007d3e8a1b4c5d6e7f8096
             */
            batchId: string;
            /** @description The number of payouts. */
            count: number;
            createdAt: components["schemas"]["Time"];
            currency: components["schemas"]["Currency"];
            /** @description Each payout, in the order of the request. */
            payouts: components["schemas"]["TransactionWithMessage"][];
            /**
             * @description The merchant's own name for the batch. Generated where the request had none.
             * @example salaries-november
             */
            reference: string;
            status: components["schemas"]["BatchStatus"];
            total: components["schemas"]["Sum"];
            /** @description Payouts that repeat an earlier one. They are no faults: the batch was begun with them. */
            warnings: components["schemas"]["BatchWarning"][];
        };
        /** @description A batch of payouts. */
        PayoutBatchRequest: {
            /** @description The payouts. If one of them has a fault, none is begun. */
            payouts: components["schemas"]["PayoutRequest"][];
            reference?: components["schemas"]["Reference"] | null;
        };
        /** @description A payout to the wallet with this number. */
        PayoutRequest: {
            amount: components["schemas"]["Amount"];
            currency?: components["schemas"]["Currency"] | null;
            email?: components["schemas"]["Email"] | null;
            metadata?: components["schemas"]["Metadata"] | null;
            network: components["schemas"]["Network"];
            payeeNote?: components["schemas"]["Note"] | null;
            payerMessage?: components["schemas"]["Note"] | null;
            phoneNumber: components["schemas"]["PhoneNumber"];
            reference?: components["schemas"]["Reference"] | null;
        };
        /**
         * @description Ten ASCII digits beginning with 0. In test mode the last four choose the outcome.
         * @example 0241234567
         */
        PhoneNumber: string;
        /** @description A refused request as it is written: a problem document (RFC 9457). */
        Problem: components["schemas"]["ProblemDocument"] & {
            /** @description The status of the session whose token has expired. Only with `checkout_token_expired`. */
            checkout?: components["schemas"]["ExpiredCheckoutStatus"];
            /** @description The merchant's own name for the session. Only with `checkout_token_expired`. */
            reference?: string;
        };
        /** @description The error code, for programs. New codes may be added. */
        ProblemCode: "malformed_json" | "invalid_request" | "missing_credentials" | "invalid_credentials" | "conflicting_credentials" | "checkout_token_expired" | "credential_not_allowed" | "scope_missing" | "address_not_allowed" | "secret_key_exposed" | "https_required" | "account_suspended" | "not_found" | "transaction_not_found" | "method_not_allowed" | "charge_in_progress" | "checkout_already_paid" | "link_in_use" | "link_not_reopenable" | "too_many_endpoints" | "attempts_exhausted" | "verification_not_expected" | "not_cancellable" | "not_refundable" | "refund_exceeds_payment" | "idempotency_key_missing" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "field_required" | "unknown_field" | "field_not_allowed" | "invalid_type" | "invalid_amount" | "amount_mismatch" | "quote_changed" | "amount_out_of_range" | "invalid_phone_number" | "unsupported_network" | "unsupported_currency" | "invalid_email" | "invalid_url" | "too_long" | "invalid_text" | "invalid_time" | "invalid_metadata" | "invalid_parameter" | "payout_limit_exceeded" | "invalid_otp" | "rate_limited" | "network_unavailable" | "internal_error" | "service_unavailable" | (string & {});
        /** @description The members that every problem document has (RFC 9457). */
        ProblemDocument: {
            /** @description The stable code, for programs. */
            code: components["schemas"]["ProblemCode"];
            /** @description A sentence about this occurrence, for people. */
            detail: string;
            /** @description Every fault of the body or the query, where there are any. */
            errors?: components["schemas"]["Fault"][];
            /** @description The value of the `x-request-id` header. Quote it when you ask for help. */
            requestId: string;
            /**
             * Format: int32
             * @description The HTTP status code.
             */
            status: number;
            /** @description A short text that is the same for every occurrence of the code. */
            title: string;
            /**
             * Format: uri
             * @description The page that explains the code: what happened, whether money moved, what to do.
             */
            type: string;
        };
        /**
         * @description What payers must answer before they pay: one line of at most 60 characters.
         * @example Name of the pupil
         */
        Question: string;
        /** @description What a payment would cost if it began now. */
        Quote: {
            /** @description The merchant's price of a charge, or what the recipient of a payout gets. */
            amount: components["schemas"]["Amount"];
            currency: components["schemas"]["Currency"];
            expiresAt: components["schemas"]["Time"];
            fee: components["schemas"]["Fee"] | null;
            /** @description The largest sum that the operator moves in one payment. */
            max: components["schemas"]["Amount"];
            merchantReceives: components["schemas"]["Fee"] | null;
            /** @description The smallest sum that the operator moves in one payment. */
            min: components["schemas"]["Amount"];
            network: components["schemas"]["Network"];
            /**
             * @description The operator of the settings that would be chosen. Null for the sandbox, and for a checkout
             *     token.
             * @example mtn
             */
            operator: string | null;
            /** @description What the operator is asked for: the amount, and the fee where the payer bears it. */
            payerPays: components["schemas"]["Amount"];
            type: components["schemas"]["TransactionType"];
        };
        /** @description A payment whose price is asked. */
        QuoteRequest: {
            amount: components["schemas"]["Amount"];
            currency?: components["schemas"]["Currency"] | null;
            network: components["schemas"]["Network"];
            type: components["schemas"]["PaymentType"];
        };
        /**
         * @description The merchant's own name for the payment, at most 64 characters. It need not be unique. Where it is absent, the service generates one.
         * @example order-17
         */
        Reference: string;
        /** @description The return of a charge's money to its payer. */
        Refund: {
            amount: components["schemas"]["Amount"];
            conflict: components["schemas"]["Conflict"] | null;
            createdAt: components["schemas"]["Time"];
            currency: components["schemas"]["Currency"];
            failure: components["schemas"]["Failure"] | null;
            method: components["schemas"]["RefundMethod"] | null;
            nextAction: components["schemas"]["NextAction"];
            /**
             * @description The operator that returns it, by its name in the settings. Null in the sandbox, and while it
             *     waits for an approval.
             * @example mtn
             */
            operator: string | null;
            /** @description The merchant's own reason. */
            reason: string | null;
            /**
             * @description The identifier, for `GET /v1/refunds/{refundId}`.
             * @example txn_019aa5f0c2007d3e8a1b4c5d6e7f8095
             */
            refundId: string;
            status: components["schemas"]["Status"];
            /**
             * @description The identifier of the charge whose money is returned.
             * @example txn_019aa5f0c2007d3e8a1b4c5d6e7f8091
             */
            transactionId: string;
            /** @description When the refund last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        /**
         * @description PAYOUT: return the money by a payout to the wallet that paid. Allowed only after a refund by the operator failed.
         * @enum {string}
         */
        RefundByPayout: "PAYOUT";
        /** @description One page of refunds. */
        RefundListing: {
            /** @description The refunds of this page, newest first. */
            data: components["schemas"]["Refund"][];
            /** @description The cursor of the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description How the money of a charge returns: NATIVE by the operator's own refund, PAYOUT by a payout to the wallet that paid. */
        RefundMethod: "NATIVE" | "PAYOUT" | (string & {});
        /** @description A refund of a charge, of all or a part of it. */
        RefundRequest: {
            amount?: components["schemas"]["Amount"] | null;
            method?: components["schemas"]["RefundByPayout"] | null;
            reason?: components["schemas"]["Note"] | null;
            /** @description The identifier of the charge to refund. */
            transactionId: string;
        };
        /**
         * @description Whether the events are sent that were recorded while it was disabled. Absent: they are not.
         * @default false
         */
        ResendRecorded: boolean;
        /**
         * Format: url
         * @description The address that the hosted page offers to go back to: https, or in test mode also http on loopback; without a user name.
         * @example https://shop.example/thanks
         */
        ReturnUrl: string;
        /** @description How the secret of an endpoint is replaced. */
        RotateWebhookSecretRequest: {
            overlapHours?: components["schemas"]["OverlapHours"] | null;
        };
        /**
         * @description The status of a transaction. SUCCESSFUL and FAILED are final.
         * @enum {string}
         */
        Status: "PENDING" | "SUCCESSFUL" | "FAILED";
        /** @description A sum in GHS with at most 2 decimals. It may be zero. A decimal string such as "10.50". */
        Sum: string;
        /**
         * Format: date-time
         * @description A time in UTC, to the millisecond (ISO 8601).
         * @example 2026-11-21T10:00:00.000Z
         */
        Time: string;
        /**
         * @description What payers read first: one line of at most 100 characters.
         * @example Adom choir: robe
         */
        Title: string;
        /** @description A charge or payout, as secret keys and webhooks see it. */
        Transaction: components["schemas"]["PayersTransaction"] & components["schemas"]["MerchantsPart"];
        /** @description Which way the money goes: CHARGE from a payer to the merchant, PAYOUT from the merchant to a recipient. */
        TransactionType: "CHARGE" | "PAYOUT" | (string & {});
        /** @description A transaction, with a text about the request, as a secret key sees it. */
        TransactionWithMessage: components["schemas"]["Transaction"] & {
            /**
             * @description The result of the request, for people.
             * @example Started. The payer must approve it on the phone.
             */
            message: string;
        };
        /** @description A webhook endpoint, without its secret. */
        WebhookEndpoint: {
            createdAt: components["schemas"]["Time"];
            disabledAt: components["schemas"]["Time"] | null;
            /** @example whe_019aa5f0c2007d3e8a1b4c5d6e7f8098 */
            endpointId: string;
            mode: components["schemas"]["LiveOrTest"];
            oldSecretUntil: components["schemas"]["Time"] | null;
            status: components["schemas"]["EndpointStatus"];
            /**
             * @description The address that events are sent to.
             * @example https://shop.example/webhooks
             */
            url: string;
        };
        /** @description One page of webhook endpoints. */
        WebhookEndpointListing: {
            /** @description The endpoints of this page, newest first. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description The cursor of the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description A new webhook endpoint. */
        WebhookEndpointRequest: {
            url: components["schemas"]["EndpointUrl"];
        };
        /** @description A webhook endpoint with its new secret. */
        WebhookEndpointWithSecret: components["schemas"]["WebhookEndpoint"] & {
            /**
             * @description The secret that signs the events. It is in this one response. Null in the response to a
             *     repeated request.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
