nav-keys = Secret keys
keys-text = A program uses a key to begin payments. The keys on this page are those of the mode above.
keys-key = Key
keys-scopes = What it may do
keys-used = Last used
keys-state = State
keys-never-used = Never
keys-made = Created { $at }
keys-expires = Expires { $at }
keys-expired = Expired { $at }
keys-revoked = Revoked { $at }
keys-revoke = Revoke
keys-revoke-which = Revoke { $id }
keys-rotate = Replace
keys-rotate-which = Replace { $id }
keys-rotate-verb = Replace the key { $who }
keys-rotate-text = You get a new key that may do the same. Put it on your server, then the old one is no longer needed.
keys-rotate-overlap = How long the old key goes on to work
keys-rotate-hours = { $hours ->
    [1] 1 hour
    [168] 7 days
    [720] 30 days
   *[other] { $hours } hours
 }
keys-rotate-ended = This key does not work any more, so it cannot be replaced. Create a new one.
keys-rotated = The old key { $key } works until { $at }. Put the new one on your server before then.
keys-none = There are no keys.
keys-create = Create a key
keys-created = The key was created
keys-created-text = Copy it to your server now: it is shown this once.
keys-name = Name: which program uses it
keys-no-scope = Choose at least one thing that the key may do.
keys-live-refused = No key was created: the operators of the settings do not serve this account. Ask the person who runs the service.
scope-collect = charges and checkouts
scope-payout = payouts
scope-refund = refunds
scope-read = read everything, except the addresses of webhooks
scope-webhooks = add, change and remove the addresses to which webhooks are sent

nav-audit = Audit log
nav-alerts = Alerts
audit-text = Every change by people, commands and the service, and every sign-in. Entries cannot be changed: each is sealed together with the one before it.
audit-action = Action
audit-every-action = Every action
audit-filter = Filter
audit-verify = Verify the log
audit-unbroken = The log is unbroken: { $number } entries were verified.
audit-broken = The log is broken at entry { $number }: it was altered, inserted or deleted.
audit-key-missing = Entry { $number } was sealed with an older server key, which this service does not have.
audit-when = When
audit-who = Who
audit-what = What
audit-values = Values
audit-source-command-line = Command line
audit-source-api = API
audit-source-dashboard = Dashboard
audit-source-start = Start of the service
audit-source-service = The service itself
actor-service = The service itself
actor-command-line = Command line ({ $user })
actor-command-line-named = { $name }, command line ({ $user })
audit-way-password = With password and code
audit-way-passkey = With a passkey
audit-way-provider = With the sign-in provider
audit-before = Before
audit-after = After
audit-none = There are no entries here.
audit-older = Older entries

nav-settings = Settings
settings-name = Name
settings-save = Save
settings-receipts = Receipts
settings-receipts-text = An e-mail with amount, reference and date, to payers who gave an address, once their payment or refund has succeeded.
settings-receipts-send = Send receipts to payers
settings-payouts = Limits of payouts and refunds
settings-payouts-text = In cedis, for the mode above. An empty field means no limit. To raise or remove a limit takes a second owner or admin, where there is one.
settings-limit = The largest payout
settings-daily-limit = The largest sum of a day
settings-approval-above = A second person approves payouts above
settings-refund-approval-above = A second person approves refunds above
settings-retention = Retention
settings-retention-none = Data that names a payer may be erased as soon as the payment is final.
settings-retention-years = { $years ->
    [one] Data that names a payer may be erased { $years } year after the payment’s last change.
   *[other] Data that names a payer may be erased { $years } years after the payment’s last change.
}
settings-retention-days = { $days ->
    [one] Data that names a payer may be erased { $days } day after the payment’s last change.
   *[other] Data that names a payer may be erased { $days } days after the payment’s last change.
}
settings-retention-text = Those who run the service set this period, and erase a person’s data with a command. Amounts, times, networks and outcomes are never erased.
fault-amount = Enter cedis from 0 with at most 2 decimals, or nothing.
done-link-ended = The role was changed. Links that the person got before have ended: invite the person again.
done-lift-requested = Saved. What lifts a limit waits for a second person, and the owners were told.
done-lift-approved = The limits were lifted.
done-lift-refused = The limits stay as they are.
settings-lift = Waits for a second person
settings-lift-asked = { $email } asked for this at { $at }:
settings-lift-none = no limit
settings-lift-own = Another owner or admin approves or refuses it here within 72 hours. Until then the limits above count.
settings-lift-alone = Nobody else can approve it now, but somebody could a short time ago. It waits for 72 hours for another owner or admin. If there is none when it ends, ask again: then it counts at once.
settings-lift-approve = Lift these limits
settings-lift-refuse = Leave the limits as they are
settings-lift-ended = Nothing was changed: this request was decided, replaced or too old. What counts now is shown here.
