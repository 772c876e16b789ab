/* A page that is left ends the requests with which it refreshes itself. Otherwise Firefox fails them, and htmx reports that
   on the console. Firefox fails those that it finds when the next page begins to load, and those that begin meanwhile when
   it has loaded. */
const abort = () => {
  for (const element of document.querySelectorAll("[data-htmx-powered]")) element.dispatchEvent(new Event("htmx:abort"));
};
addEventListener("beforeunload", abort);
addEventListener("pagehide", abort);
