/*
 * The browser of a run: Chromium over Playwright, or the engine that `TUA_ENGINE` names, over WebDriver.
 */
export const engine = process.env.TUA_ENGINE ?? "chromium";
const opened = await import(engine === "chromium" ? "../looks/browser.mjs" : "../webdriver/browser.mjs");

export const { axe, browser, close, pictures, require } = opened;

/** What only Chromium can do here: WebDriver has no authenticators in the other engines, no touch screen and no scripts that run before the page's. */
export const isChromium = engine === "chromium";
