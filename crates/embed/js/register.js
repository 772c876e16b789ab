/* What a page names: the element, registered. */
import { define } from "./loader.js";

export * from "./loader.js";
define();
