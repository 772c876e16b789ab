/*
 * While a payer pays in the page: the server stores the outcome at once, because it asks the service whenever the page of
 * the payment is read. The page is not told what happened: an event of the component proves no payment.
 */
(function () {
  "use strict";
  var ask = function () {
    window.fetch(window.location.href, { credentials: "same-origin" }).catch(function () {});
  };
  document.addEventListener("tua-successful", ask);
  document.addEventListener("tua-failed", ask);
  document.addEventListener("tua-expired", function () {
    window.setTimeout(function () {
      window.location.reload();
    }, 3000);
  });
})();
