/*
 * A person with a browser: enrols with an invitation, and signs in. Without script, as every page must work.
 */
import { createHmac } from "node:crypto";
import { browser } from "./browser.mjs";
import { account, origin, run } from "./service.mjs";

const PASSWORD = "correct horse battery staple";
const STEP_SECONDS = 30;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A one-time code (RFC 6238). */
function code(secret, step) {
  const bits = [...secret.replaceAll(" ", "")].map((one) => BASE32.indexOf(one).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

export class Person {
  /** The step of the code with which the person enrolled. */
  #enrolledAt;

  /** `invitation` is the link to enrol with. */
  constructor(email, invitation) {
    this.email = email;
    this.invitation = invitation;
  }

  /** Somebody whom the command line invites. */
  static invited(email, role) {
    return new Person(email, run("user", "invite", email, "--account", account.accountId, "--role", role).link);
  }

  /** A browser of the person's own. */
  async open(options = {}) {
    this.context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 }, ...options });
    this.page = await this.context.newPage();
  }

  /** The code of an app, or the next one: the service accepts that too, and each only once. */
  code() {
    const now = Math.floor(Date.now() / 1_000 / STEP_SECONDS);
    return code(this.secret, this.#enrolledAt === now ? now + 1 : now);
  }

  async enrol(name) {
    await this.page.goto(this.invitation);
    this.secret = await this.page.locator(".secret").innerText();
    await this.page.getByLabel("Your name").fill(name);
    await this.page.getByLabel("New password").fill(PASSWORD);
    await this.page.locator("[name=code]").fill(this.code());
    this.#enrolledAt = Math.floor(Date.now() / 1_000 / STEP_SECONDS);
    await this.page.getByRole("button", { name: "Finish" }).click();
  }

  /** Fills in the page of the sign-in. */
  async signIn(password = PASSWORD) {
    await this.page.locator("[name=email]").fill(this.email);
    await this.page.locator("[name=password]").fill(password);
    await this.page.locator("[name=code]").fill(this.code());
    await this.page.locator("main button").first().click();
  }

  /** The address of a page of the account in test mode. */
  at(path) {
    return `${origin}/dashboard/accounts/${account.accountId}/test${path}`;
  }

  async goto(path) {
    return this.page.goto(this.at(path));
  }

  text() {
    return this.page.locator("main").innerText();
  }
}
