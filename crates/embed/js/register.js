/* The module that pages load: it registers the element. */
import { define } from "./loader.js";

export * from "./loader.js";
define();
