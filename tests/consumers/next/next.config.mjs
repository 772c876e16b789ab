/* Next writes inline scripts of its own; the component needs none. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self' http://127.0.0.1:*",
].join("; ");

export default {
  headers: async () => [{ source: "/(.*)", headers: [{ key: "content-security-policy", value: policy }] }],
};
