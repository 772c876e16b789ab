/* Next.js writes inline scripts of its own, hence 'unsafe-inline'; the component needs none. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
  "style-src 'self'",
  `connect-src 'self' ${process.env.NEXT_PUBLIC_TUA}`,
].join("; ");

export default {
  headers: async () => [{ source: "/(.*)", headers: [{ key: "content-security-policy", value: policy }] }],
};
