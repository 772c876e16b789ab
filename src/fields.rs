//! JavaScript objects of texts: what a request says, what an event tells.

use js_sys::Reflect;
use serde::{Serialize, Serializer};
use wasm_bindgen::JsValue;

/// What becomes of a name that has no text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is not there.
    LeftOut,
    /// It is null.
    Null,
}

/// Names and their texts. A list, for serde's own structs bring a cache of JavaScript names along that
/// costs two kilobytes.
struct Fields<'a>(&'a [(&'static str, Option<&'a str>)], Missing);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(fields, missing) = *self;
        serializer.collect_map(fields.iter().filter(|field| field.1.is_some() || missing == Missing::Null).copied())
    }
}

/// The object; null where the browser cannot make one.
pub(crate) fn object(fields: &[(&'static str, Option<&str>)], missing: Missing) -> JsValue {
    Fields(fields, missing).serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// Adds a property that is no text.
pub(crate) fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// A property of a value that may be no object.
pub(crate) fn property(object: &JsValue, name: &str) -> Option<JsValue> {
    object.is_object().then(|| Reflect::get(object, &name.into()).ok()).flatten()
}
