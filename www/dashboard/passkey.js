// Asks the device for a passkey, and sends what it has signed with the form of the page.
// Browsers convert the options by themselves only since 2025, so this does it for older ones too.

const form = document.querySelector("form[data-passkey]");
const button = form.querySelector("button");
const method = form.dataset.passkey;

/** Bytes from base64url. */
const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

/** Base64url of a buffer, without padding; null for a value that the device did not give. */
const encode = (buffer) =>
  buffer &&
  btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const withBytes = (credential) => ({ ...credential, id: decode(credential.id) });

function options() {
  const given = JSON.parse(form.dataset.options);
  return {
    ...given,
    challenge: decode(given.challenge),
    ...(given.user && { user: withBytes(given.user) }),
    ...(given.excludeCredentials && { excludeCredentials: given.excludeCredentials.map(withBytes) }),
    ...(given.allowCredentials && { allowCredentials: given.allowCredentials.map(withBytes) }),
  };
}

function json({ id, rawId, type, response }) {
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
  const signed = attestationObject
    ? { attestationObject: encode(attestationObject), transports: response.getTransports?.() }
    : { authenticatorData: encode(authenticatorData), signature: encode(signature), userHandle: encode(userHandle) };
  return JSON.stringify({
    id,
    rawId: encode(rawId),
    type,
    response: { clientDataJSON: encode(clientDataJSON), ...signed },
    clientExtensionResults: {},
  });
}

const notices = ["fault", "elsewhere", "unsupported"].map((id) => document.getElementById(id));

/** Shows one of the texts about what went wrong; none without an id. */
function show(id) {
  for (const notice of notices) notice.hidden = notice.id !== id;
}

async function ask() {
  show();
  button.disabled = true;
  try {
    form.elements.credential.value = json(await navigator.credentials[method]({ publicKey: options() }));
    form.submit();
  } catch (error) {
    // A SecurityError: this page is not open at the name that the passkeys of the service belong to. Otherwise the person
    // stopped it, the device has no passkey, or the browser wants a press of the button first.
    show(error.name === "SecurityError" ? "elsewhere" : "fault");
    button.disabled = false;
  }
}

if (window.PublicKeyCredential) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  ask();
} else {
  // Browsers offer no passkeys over HTTP, except at localhost.
  show(window.isSecureContext ? "unsupported" : "elsewhere");
  button.disabled = true;
}
