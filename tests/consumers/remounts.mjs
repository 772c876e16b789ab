/* Many lives of two checkouts under StrictMode: what each leaves behind adds up. */

import { phoneField } from "./payer.mjs";

/** Runs in the page before its own scripts: holds what a checkout could leave behind. */
export function watchTraces() {
  const timers = new Set();
  window.traces = { timers, memory: undefined };
  const { setTimeout, setInterval, clearTimeout, clearInterval } = window;
  const keep = (id) => (timers.add(id), id);
  window.setTimeout = (run, ...rest) => {
    const id = setTimeout((...args) => (timers.delete(id), run(...args)), ...rest);
    return keep(id);
  };
  window.setInterval = (...args) => keep(setInterval(...args));
  window.clearTimeout = (id) => (timers.delete(id), clearTimeout(id));
  window.clearInterval = (id) => (timers.delete(id), clearInterval(id));
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...args) => {
    const instance = await instantiate.apply(WebAssembly, args);
    window.traces.memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
    return instance;
  };
}

/** So many that what a leak leaves behind is more than what the browser compiles meanwhile. */
const LIVES = 400;
/** What the browser itself comes and goes with. */
const SLACK = { nodes: 5, listeners: 5, heap: 150_000 };

/** Opens and closes both checkouts with the shop's own button, and compares what is left with what was left before. */
export async function remounts(page, check) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  await phoneField(page).nth(1).waitFor();
  let requests = 0;
  page.on("request", () => requests++);
  for (const ended of ["requestfinished", "requestfailed"]) page.on(ended, () => requests--);

  /** Closes the shop's checkouts, and counts once everything that was to end has ended. */
  const left = async (before) => {
    await page.getByRole("button", { name: "Close" }).click();
    let counted;
    for (let triesLeft = 100; triesLeft--; await page.waitForTimeout(100)) {
      await devtools.send("HeapProfiler.collectGarbage");
      const { metrics } = await devtools.send("Performance.getMetrics");
      const metric = (name) => metrics.find((metric) => metric.name === name).value;
      const [timers, memory] = await page.evaluate(() => (performance.clearResourceTimings(), [window.traces.timers.size, window.traces.memory.buffer.byteLength]));
      counted = { requests, timers, memory, nodes: metric("Nodes"), listeners: metric("JSEventListeners"), heap: metric("JSHeapUsedSize") };
      if (!more(counted, before)) break;
    }
    return counted;
  };
  // As many before: what the browser compiles and caches on the way is no leak.
  await live(page, LIVES);
  const before = await left();
  await page.getByRole("button", { name: "Open" }).click();
  await live(page, LIVES);
  const after = await left(before);
  console.log(`after ${LIVES} lives: ${JSON.stringify(before)}\nafter ${LIVES} more: ${JSON.stringify(after)}`);
  await check(`${LIVES} lives`, more(after, before));
}

/** As often: closed, and opened again, sometimes before the WebAssembly has drawn anything. */
const live = (page, times) =>
  page.evaluate(async (times) => {
    const press = () => document.querySelector("button").click();
    const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
    for (let time = 0; time < times; time++) {
      press();
      await pause(time % 3 ? 0 : 20);
      press();
      await pause(time % 4 ? 0 : 60);
    }
  }, times);

/** What there is more of than before. */
function more(now, before = { ...now, requests: 0, timers: 0 }) {
  const found = Object.keys(now).filter((name) => now[name] > before[name] + (SLACK[name] ?? 0));
  return found.map((name) => `${name}: ${before[name]} before, ${now[name]} after`).join("; ");
}
