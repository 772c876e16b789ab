//! Money and times as the browser writes them.

use crate::fields::{Missing, object};
use crate::locale::Format;
use js_sys::{Array, Date, Function, Intl, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// The browser's own formatting, in one language.
#[derive(Debug)]
pub(crate) struct Browser {
    locales: Array,
}

impl Browser {
    /// `language` is a BCP 47 tag, such as `en-GH`.
    pub(crate) fn new(language: &str) -> Self {
        Self { locales: Array::of1(&language.into()) }
    }
}

impl Format for Browser {
    /// From the exact text: the formatter is given a string, which it reads without a float.
    fn money(&self, amount: &str, currency: &str) -> String {
        let options = object(&[("style", Some("currency")), ("currency", Some(currency))], Missing::LeftOut);
        let format: JsValue = Intl::NumberFormat::new(&self.locales, options.unchecked_ref()).into();
        apply(&format, &amount.into()).unwrap_or_else(|| [currency, " ", amount].concat())
    }

    fn moment(&self, iso: &str) -> String {
        let options = object(&[("dateStyle", Some("medium")), ("timeStyle", Some("short"))], Missing::LeftOut);
        let format: JsValue = Intl::DateTimeFormat::new(&self.locales, options.unchecked_ref()).into();
        apply(&format, &Date::new(&iso.into())).unwrap_or_else(|| iso.to_owned())
    }
}

/// `format.format(value)`; nothing where the formatter throws, as it does on a date that is none.
fn apply(format: &JsValue, value: &JsValue) -> Option<String> {
    let function = Reflect::get(format, &"format".into()).ok()?.dyn_into::<Function>().ok()?;
    function.call1(format, value).ok()?.as_string()
}
