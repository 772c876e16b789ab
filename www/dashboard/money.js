// Helps on the pages that ask for money and pay it: proposes the network of a number, shows the keypad of the till, and
// announces payments that the operator has confirmed. The pages work without it. It is written for old phones, so without
// modules, arrow functions and const.

(function () {
  "use strict";

  /** Chooses the network that the number's prefix belongs to, until a person chooses one. */
  function proposeNetwork() {
    var phone = document.getElementById("phoneNumber");
    var network = document.getElementById("network");
    if (!phone || !network) return;
    var prefixes = JSON.parse(network.getAttribute("data-prefixes"));
    var isChosen = network.value !== "";
    network.addEventListener("change", function () {
      isChosen = network.value !== "";
    });
    phone.addEventListener("input", function () {
      if (isChosen) return;
      var digits = phone.value.replace(/\D/g, "").replace(/^(00)?233/, "0");
      var proposed = prefixes[digits.slice(0, 3)] || "";
      network.value = proposed;
      if (network.value !== proposed) network.value = "";
    });
  }

  /** Shows the keypad, which types into the field that was used last, in place of the keyboard of a phone. The fields are those
   * of the till, or the PIN that unlocks it. */
  function startKeypad() {
    var keypad = document.querySelector(".keypad");
    if (!keypad) return;
    var fields = ["amount", "phoneNumber", "pin"]
      .map(function (id) {
        return document.getElementById(id);
      })
      .filter(Boolean);
    var current = fields[0].value && fields[1] && !fields[1].value ? fields[1] : fields[0];
    var isTouched = window.matchMedia && window.matchMedia("(pointer: coarse)").matches;
    keypad.hidden = false;
    fields.forEach(function (field) {
      if (isTouched) field.setAttribute("inputmode", "none");
      field.addEventListener("focus", function () {
        show(field);
      });
    });
    show(current);
    keypad.addEventListener("click", function (event) {
      var key = event.target.getAttribute("data-key");
      if (key === null) return;
      current.value = key === "" ? current.value.slice(0, -1) : current.value + key;
      current.dispatchEvent(new Event("input", { bubbles: true }));
    });

    function show(field) {
      current = field;
      fields.forEach(function (one) {
        one.classList.toggle("typed", one === field);
      });
    }
  }

  /** Keeps in this tab which payments were announced. */
  function announcedIds() {
    try {
      return JSON.parse(sessionStorage.getItem("tua-announced") || "[]");
    } catch (error) {
      return [];
    }
  }

  function keepAnnounced(ids) {
    try {
      sessionStorage.setItem("tua-announced", JSON.stringify(ids.slice(-100)));
    } catch (error) {
      // Without storage a payment can be announced twice.
    }
  }

  /** Announces each payment that the page from the server shows as paid just now, once. */
  function announceNew() {
    var ids = announcedIds();
    Array.prototype.forEach.call(document.querySelectorAll("[data-paid]"), function (element) {
      var id = element.getAttribute("data-paid");
      if (ids.indexOf(id) >= 0) return;
      ids.push(id);
      announce(element.getAttribute("data-say"));
    });
    keepAnnounced(ids);
  }

  function announce(text) {
    if (!window.speechSynthesis || !window.SpeechSynthesisUtterance) return sound();
    var utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = document.documentElement.lang;
    utterance.onerror = sound;
    window.speechSynthesis.speak(utterance);
  }

  /** Two rising tones. */
  function sound() {
    var Context = window.AudioContext || window.webkitAudioContext;
    if (!Context) return;
    var context = new Context();
    [660, 880].forEach(function (hertz, index) {
      var tone = context.createOscillator();
      tone.frequency.value = hertz;
      tone.connect(context.destination);
      tone.start(context.currentTime + index * 0.2);
      tone.stop(context.currentTime + index * 0.2 + 0.18);
    });
  }

  proposeNetwork();
  startKeypad();
  announceNew();
  document.addEventListener("htmx:after:swap", announceNew);
})();
