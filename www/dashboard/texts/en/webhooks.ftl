nav-webhooks = Webhooks
webhooks-none = There are no endpoints. Add the address of your server to receive events.
webhooks-secret = This is the secret. It is shown this once; use it to verify signatures.
webhooks-disabled = Disabled since
webhooks-failing = { $attempts ->
    [one] It is failing: the last attempt, at { $at }, did not succeed.
   *[other] It is failing: the last attempt, at { $at }, did not succeed. It was attempt { $attempts } of this event.
}
webhooks-failing-status = Your server answered with HTTP { $status }.
webhooks-overlap = The previous secret also signs until
webhooks-overlap-hours = Hours during which the old secret also signs
webhooks-rotate = New secret
webhooks-ping = Send a test event
webhooks-enable = Enable
webhooks-enable-resend = Send the events of the meantime
webhooks-disable = Disable
webhooks-remove = Remove
webhooks-add-title = Add an endpoint
webhooks-url = Address
webhooks-url-fault = The address is not allowed:
webhooks-add = Add
deliveries-title = Webhook deliveries
deliveries-none = There are no deliveries.
deliveries-newest = The newest { $most } are shown.
deliveries-next = next attempt
deliveries-resend-failed = Send all failed ones again
deliveries-resend-failed-of-period = Send the failed ones of this period again
deliveries-resend = Send again
resend-all = Send all again
column-event = Event
column-attempts = Attempts
column-response = Response
delivery-PENDING = Waiting
delivery-DELIVERED = Delivered
delivery-FAILED = Failed
