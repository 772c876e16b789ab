done-saved = Saved.
done-password = Your new password is valid. Your other sessions and open links have ended. Your passkeys, linked accounts and recovery codes still open the dashboard: remove below what you do not know.
settings-no-mail = This service has no e-mail server, so no receipt is sent and no page asks for an address. The person who looks after the service can set one up.
mail-title = E-mail that was not delivered
mail-help = The service gave these messages up: the server refused them, every attempt failed, or they were not needed any more. They are listed for 30 days, without addresses.
mail-none = Every message was delivered, or still waits for an attempt.
mail-given-up = { $count ->
    [one] One e-mail was not delivered
   *[other] { $count } e-mails were not delivered
}
mail-about = About
mail-attempts = Attempts
mail-last = Last attempt
mail-fault = Why
mail-kind-INVITATION = Invitation
mail-kind-RESET = New password
mail-kind-ALERTS = Alerts
mail-kind-RECEIPT = Receipt
mail-kind-REFUND = Refund
mail-kind-SECURITY = Security notice
mail-kind-REPORT = Report
reports-title = Reports by e-mail
reports-text = Money in and out, the success rate, and what waits for a person, of your accounts in live mode. A report comes at 6:00 in the morning, after the day or the week has ended.
reports-no-mail = This service has no e-mail server, so no report is sent now.
reports-interval = How often
reports-never = Never
reports-daily = Every day
reports-weekly = Every week, on Monday
