/* The block in the editor: which item it shows, and the text of its button. The server draws it. */
(function (wp) {
  "use strict";
  var el = wp.element.createElement;
  var __ = wp.i18n.__;

  function Edit(props) {
    var items = window.tuaPaymentsItems || [];
    var none = { value: 0, label: __("Choose an item", "tua-payments") };
    var choice = el(wp.components.SelectControl, {
      label: __("Item", "tua-payments"),
      value: props.attributes.item,
      options: [none].concat(
        items.map(function (item) {
          return { value: item.id, label: item.title };
        }),
      ),
      onChange: function (value) {
        props.setAttributes({ item: parseInt(value, 10) || 0 });
      },
    });
    var button = el(wp.components.TextControl, {
      label: __("Text of the button", "tua-payments"),
      help: __("If it is empty, the button names the amount.", "tua-payments"),
      value: props.attributes.button,
      onChange: function (value) {
        props.setAttributes({ button: value });
      },
    });
    var preview = el(wp.serverSideRender, { block: "tua-payments/item", attributes: props.attributes });
    var placeholder = el(
      wp.components.Placeholder,
      { icon: "money-alt", label: __("Tua payment", "tua-payments") },
      items.length > 0 ? choice : __("Add an item under Tua › Items first.", "tua-payments"),
    );
    return el(
      "div",
      wp.blockEditor.useBlockProps(),
      el(wp.blockEditor.InspectorControls, null, el(wp.components.PanelBody, { title: __("Payment", "tua-payments") }, choice, button)),
      props.attributes.item ? el(wp.components.Disabled, null, preview) : placeholder,
    );
  }

  wp.blocks.registerBlockType("tua-payments/item", {
    edit: Edit,
    save: function () {
      return null;
    },
  });
})(window.wp);
