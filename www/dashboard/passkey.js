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

async function ask() {
  const fault = document.getElementById("fault");
  fault.hidden = true;
  button.disabled = true;
  try {
    form.elements.credential.value = json(await navigator.credentials[method]({ publicKey: options() }));
    form.submit();
  } catch {
    // The person stopped it, the device has no passkey, or the browser wants a press of the button first.
    fault.hidden = false;
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
  document.getElementById("unsupported").hidden = false;
  button.disabled = true;
}
