/* The payment method in WooCommerce's checkout block. The customer pays on the service's page, so it has no fields. */
(function (wc, wp) {
  "use strict";
  var settings = wc.wcSettings.getSetting("tua_data", {});
  var title = wp.htmlEntities.decodeEntities(settings.title || "Tua");
  var Description = function () {
    return wp.element.createElement("p", null, wp.htmlEntities.decodeEntities(settings.description || ""));
  };
  wc.wcBlocksRegistry.registerPaymentMethod({
    name: "tua",
    label: title,
    ariaLabel: title,
    content: wp.element.createElement(Description),
    edit: wp.element.createElement(Description),
    canMakePayment: function () {
      return true;
    },
    supports: { features: settings.supports || [] },
  });
})(window.wc, window.wp);
