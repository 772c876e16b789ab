sign-in-title = Sign in
sign-in = Sign in
sign-in-wrong = E-mail address, password or code is wrong. Each code works once: wait for the next one.
sign-in-limited = Too many attempts. Wait a few minutes, and try again.
sign-in-busy = Many people sign in at this moment. Nothing was counted against you: try again in a few seconds.
sign-in-lost = Lost your password, your app or your recovery codes? Ask an owner of your shop for a new link, from the page People; or the person who runs the service.
sign-in-passkey-lost = Only passkeys, and the device is lost? Leave the password empty, and enter a recovery code.
email = E-mail address
password = Password
new-password = New password
password-help = At least 12 characters.
code = Code
code-help = The six digits of your app, or a recovery code.
proof-title = Confirm that it is you
proof-text = Money, keys and people need a confirmation of the last 5 minutes. After it you go on where you were.
proof-confirm = Confirm
enrol-title = Set up your access
enrol-for = For { $email }
your-name = Your name
account-name = Name of the shop, as payers read it
enrol-app = One-time codes
enrol-app-text = Scan this with an app for one-time codes, such as Aegis, Google Authenticator or 1Password. On this phone, copy the key into the app.
enrol-code-image = QR code with the key that is written below
enrol-secret = The key:
enrol-code = The six digits that the app shows
enrol = Finish
form-has-faults = Nothing was saved yet. Correct the marked fields; type password and code again.
fault-name = Enter 1 to 80 characters.
fault-email = Enter an e-mail address.
fault-account = Enter 1 to 80 characters.
fault-password = Enter at least 12 characters.
fault-code = This is not the app’s code. Check the clock of your phone.
link-ended-title = This link does not work any more
link-ended-text = A link works once, for an hour. Ask for a new one.
recovery-title = Recovery codes
recovery-text = Each of these codes replaces a one-time code once, for the day on which you do not have your app. Write them down now: they are shown this once.
recovery-text-passkey = Each of these codes signs you in once, with your e-mail address and without a password, for the day on which you do not have your device. Write them down now: they are shown this once. Without codes and device, ask an owner of your shop for a new link, from the page People; or the person who runs the service.
recovery-code = Recovery code
recovery-code-proof = Where your passkey is not at hand. Each code works once.
recovery-kept = I have written them down
recovery-left =
    { $count ->
        [one] One code is left.
       *[other] { $count } codes are left.
    }
recovery-replace = Make new recovery codes
nav-security = Your security
sessions-title = Where you are signed in
session-this = This one
session-times = Since { $since }, last seen { $seen }
session-end = Sign out there
done-session-ended = That session has ended: whoever uses it is asked to sign in.
password-change = Change password
password-change-help = Every other session of yours ends.
password-change-keeps = Open links to set a password end too. Passkeys, linked accounts and recovery codes stay valid.

kept-title = Your entries were kept
kept-text = You had been signed out, or had to confirm that it is you. This was entered, and nothing was sent yet:
kept-send = Send it now
kept-discard = Discard it

unlock-title = Locked
unlock-text = Enter the PIN of this phone to go on.
unlock = Unlock
unlock-wrong = This PIN is wrong.
unlock-tries-left =
    { $count ->
        [one] One try is left. If it is wrong too, this phone is signed out.
       *[other] { $count } tries left.
    }
unlock-ended = Five PINs were wrong, so this phone was signed out. Sign in again.
unlock-lost = You do not have the PIN?
