connect-title = Connect an operator
connect-own = Operators that you connect here
connect-own-none = None yet. An operator is the company that moves the money: connect yours to take and make real payments.
connect-choose = Which operator do you have a contract with?
connect-live-only = Operators are connected in live mode, for live payments. Test payments go to the test operator.
connect-which = Connect { $operator }
connect-ask-for = What to ask { $operator } for
connect-text-mtn-momo = A merchant wallet and a contract for the MoMo Open API; the product Collections to be paid, and Disbursements for payouts and refunds; for each of them the API user, the API key and the subscription key. MTN must register the host of the callback address below, and for payouts the public address of this service.
connect-text-hubtel = An API id and key with the scopes that you need, the POS sales id, and for payouts the prepaid deposit id. Hubtel must list the public address of this service for each of its services. Hubtel wants verified numbers: payers on payment links and checkouts are not sent to it.
connect-text-paystack = A business account that is activated for live payments, with mobile money as a channel; for payouts Transfers, without “Confirm transfers before sending”; and the live secret key. Enter the callback address below as the webhook URL.
connect-text-pawapay = A merchant account with Ghana enabled, and an API token. Enter the callback address below for each operation, and switch on signed callbacks. With signed requests a stolen token alone moves no money: then type your private key and its id too.
connect-sealed = The credentials are encrypted with the key of this service, and never shown again. Only payments of this shop are sent with them.
connect-supersedes = After its first successful check it takes the place of { $name }. Pending payments and refunds of { $name } go on with its old credentials.
connect-replace-title = New credentials for { $name }
connect-replace-same = These must be credentials of the same account at the operator: pending payments and refunds go on with them. The old ones stay in force until a check accepts the new ones.
connect-secrets-again = Type the secrets again: they are not kept.
connect-name = Name
connect-name-help = To tell your operators apart: 1 to 32 small letters, digits and dashes, such as mtn.
connect-bad-name = A name has 1 to 32 small letters, digits and dashes, and nothing else.
connect-name-taken = Another operator of this shop has this name.
connect-too-many = This shop has as many operators as it may have: { $limit }, with those that were removed.
connect-changed = Somebody has changed this operator meanwhile. Nothing was changed now: look at it, and try again.
connect-is-retired = This operator was removed. Nothing was changed.
connect-not-checked = No check has accepted the credentials yet. Check them first.
connect-other-merchant = These credentials are of another account or platform of the operator: pending payments could not be found there. Nothing was saved. Go back, and choose “Another account at the operator”.
connect-missing-product = These credentials leave out a product that those in force have: its pending payments and refunds could not be finished. Nothing was saved. Type the credentials of every product.
connect-save = Save, then check
connect-save-only = Save without a check
connect-state-unchecked = waits for its check, and serves nothing
connect-state-replaced = in force; new credentials wait for their check
connect-state-checked = in force
connect-state-unusable = cannot be used: its credentials cannot be read. Type them again
connect-state-retired = removed
connect-made = Saved
connect-checked = Accepted
connect-callback = Callback address
connect-callback-help = Give this address to { $operator } only: it has a secret.
connect-check = Check
connect-check-help = The operator is asked, and no money moves. Credentials come into force only if every line is right, but that of the callback address: without callbacks the operator is asked for each status.
connect-check-button = Check
connect-serve = What it serves
connect-serve-help = One operator serves a network and a direction. Where another of yours did so before, this one takes its place.
connect-settings-win = { $name } of the settings file serves this, and goes before this choice.
connect-other = Now { $name } serves this.
connect-serve-button = Save what it serves
connect-try = Try it with GH₵1
connect-try-help = Ask your own phone for GH₵1. It is real money: return it with Refund on the page of the payment.
connect-tried = GH₵1 came from { $number } ({ $at }).
connect-return = Return it
connect-replace = Replace the credentials
connect-replace-help = Pending payments and refunds stay at the account at the operator that they began with. So say which account the new credentials are of.
connect-replace-same-link = The same account at the operator, with a new key
connect-replace-other-link = Another account at the operator
connect-retire = Remove
connect-retired-text = A removed operator gets no new payments. Pending payments are still asked about, and what was paid through it can be refunded.
confirm-retire-operator = Remove { $who }? It gets no new payments, and cannot be put back.
confirm-retire-operator-verb = Remove { $who }
done-operator-connected = Saved. Check the credentials now.
done-operator-saved = Saved. The operator does not accept everything yet: see the lines of the check. Nothing has changed for your payments.
done-operator-accepted = The operator accepts the credentials. They are in force.
done-operator-routed = What it serves was changed.
done-operator-replaced = Saved. Check the new credentials: until then the old ones stay in force.
done-operator-retired = The operator was removed.
operators-built-in = part of Tua
operators-of-settings = settings file
operators-of-dashboard = connected here
credential-platform = What did MTN give you?
credential-platform-legacy = an API user and an API key
credential-platform-2026 = a User ID and a Credential Token
credential-collection-user = Collections: API user, or User ID
credential-collection-key = Collections: API key, or Credential Token
credential-collection-subscription-key = Collections: subscription key
credential-disbursement-user = Disbursements: API user, or User ID
credential-disbursement-key = Disbursements: API key, or Credential Token
credential-disbursement-subscription-key = Disbursements: subscription key
credential-api-id = API id
credential-api-key = API key
credential-pos-sales-id = POS sales id
credential-prepaid-deposit-id = Prepaid deposit id, for payouts (optional)
credential-secret-key = Live secret key, which begins with sk_live_
credential-email-fallback = E-mail address for payers without one
credential-api-token = API token
credential-signed-callbacks = pawaPay signs its callbacks
credential-signing-key-id = Id of the signing key (optional)
credential-signing-key = Private signing key, in PEM (optional)
connect-live = Connect an operator in live mode
connect-credentials = What { $operator } gave you
connect-unreachable = { $operator } cannot reach { $host }: only this machine or its own network can. Start the service with --public-url and its public https address.
connect-letter = A letter to { $operator }
connect-letter-short = Letter
connect-letter-text =
    Dear { $operator } team,

    please register these for the live payments of { $shop }:

    Callback address: { $callback }
    Callback host: { $host }
    Public address of our service: { $address }
    IP address from which our service calls you: (ask whoever runs the server)

    Please also tell us where to find our credentials for live payments; please do not send them by e-mail.

    Please keep the callback address confidential: it has a secret.
credential-platform-help = In MTN’s Partner Portal, a User ID and a Credential Token are under System and device credentials, System Credentials. One pair belongs to the whole wallet: type it for each product that you use. An API user and an API key are made for each product.
