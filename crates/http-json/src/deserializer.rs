//! Deserializes a JSON object into a struct that derives `Deserialize`.
//!
//! A derived `Deserialize` stops at its first error. To find every fault,
//! [`crate::JsonObject::read`] deserializes the whole object first. If that fails, it deserializes
//! each field alone.

use crate::{Refusal, members::Members, text::JSON_TEXT};
use serde::{
    Deserializer,
    de::{
        DeserializeSeed, Error, Expected, IntoDeserializer, MapAccess, Unexpected, Visitor,
        value::SeqDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::value::RawValue;
use std::{cell::Cell, fmt, slice};
use tua_contract::ErrorCode;

/// The names of a struct's fields, which its `Deserialize` passes to the deserializer.
pub(crate) type FieldNames = Cell<&'static [&'static str]>;

/// Why deserialization ended before it returned a value.
#[derive(Debug)]
pub(crate) enum DeserializeError {
    /// A value was refused.
    Refused(Refusal),
    /// [`ObjectDeserializer::for_field`] accepted its field. This is no fault: it only prevents
    /// that the struct is built, because the other fields are missing.
    FieldAccepted,
}

impl DeserializeError {
    pub(crate) fn into_refusal(self) -> Option<Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::FieldAccepted => None,
        }
    }
}

impl Error for DeserializeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Refused(Refusal::from_message(message.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Refused(Refusal::new(ErrorCode::InvalidType, format!("This must be {expected}.")))
    }
}

impl fmt::Display for DeserializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::FieldAccepted => f.write_str("the field was accepted"),
        }
    }
}

impl std::error::Error for DeserializeError {}

/// Deserializes a struct from an object, or one field of it.
pub(crate) struct ObjectDeserializer<'r, 'a> {
    members: &'r Members<'a>,
    fields: &'r FieldNames,
    field_index: Option<usize>,
}

impl<'r, 'a> ObjectDeserializer<'r, 'a> {
    /// A deserializer of the whole struct.
    pub(crate) const fn for_struct(members: &'r Members<'a>, fields: &'r FieldNames) -> Self {
        Self { members, fields, field_index: None }
    }

    /// A deserializer of one field, by its index in the struct. It never returns a value: its error
    /// is [`DeserializeError::FieldAccepted`] if the field is valid.
    pub(crate) const fn for_field(
        members: &'r Members<'a>,
        fields: &'r FieldNames,
        index: usize,
    ) -> Self {
        Self { members, fields, field_index: Some(index) }
    }
}

impl<'de> Deserializer<'de> for ObjectDeserializer<'_, 'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        Err(DeserializeError::invalid_type(Unexpected::Map, &visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        self.fields.set(fields);
        let names = match self.field_index {
            Some(index) => &fields[index..=index],
            None => fields,
        };
        let is_single_field = self.field_index.is_some();
        visitor.visit_map(FieldAccess {
            members: self.members,
            names: names.iter(),
            current: "",
            is_single_field,
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct FieldAccess<'r, 'a> {
    members: &'r Members<'a>,
    names: slice::Iter<'static, &'static str>,
    current: &'static str,
    is_single_field: bool,
}

impl<'de> MapAccess<'de> for FieldAccess<'_, 'de> {
    type Error = DeserializeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DeserializeError> {
        match self.names.next() {
            Some(name) => {
                self.current = name;
                seed.deserialize((*name).into_deserializer()).map(Some)
            }
            None if self.is_single_field => Err(DeserializeError::FieldAccepted),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, DeserializeError> {
        seed.deserialize(ValueDeserializer::new(self.current, self.members.find(self.current)))
    }
}

/// Deserializes one value from its JSON text. A value that is absent is the same as null.
pub(crate) struct ValueDeserializer<'a> {
    name: &'static str,
    text: Option<&'a str>,
}

impl<'a> ValueDeserializer<'a> {
    pub(crate) fn new(name: &'static str, text: Option<&'a str>) -> Self {
        Self { name, text: text.filter(|text| *text != "null") }
    }

    fn required_text(&self) -> Result<&'a str, DeserializeError> {
        let required =
            || Refusal::new(ErrorCode::FieldRequired, format!("{} is required.", self.name));
        self.text.ok_or_else(|| DeserializeError::Refused(required()))
    }
}

impl<'de> Deserializer<'de> for ValueDeserializer<'de> {
    type Error = DeserializeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        let text = self.required_text()?;
        if !text.starts_with('"') {
            return Err(DeserializeError::invalid_type(
                Unexpected::Other("another type"),
                &visitor,
            ));
        }
        // The text was checked when the body was parsed, so that this cannot fail.
        if text.contains('\\') {
            visitor.visit_string(serde_json::from_str(text).map_err(DeserializeError::custom)?)
        } else {
            visitor.visit_borrowed_str(&text[1..text.len() - 1])
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        match self.text {
            Some(_) => visitor.visit_some(self),
            None => visitor.visit_none(),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DeserializeError> {
        match name {
            JSON_TEXT => visitor.visit_borrowed_str(self.required_text()?),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DeserializeError> {
        let items: Vec<&RawValue> = serde_json::from_str(self.required_text()?).map_err(|_| {
            DeserializeError::Refused(Refusal::new(
                ErrorCode::InvalidType,
                "This must be a JSON array.",
            ))
        })?;
        let items = items.into_iter().map(|item| ArrayItem { name: self.name, text: item.get() });
        visitor.visit_seq(SeqDeserializer::new(items))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// An item of an array. A null is an item too.
struct ArrayItem<'a> {
    /// The name of the array's field, for messages.
    name: &'static str,
    text: &'a str,
}

impl<'de> IntoDeserializer<'de, DeserializeError> for ArrayItem<'de> {
    type Deserializer = ValueDeserializer<'de>;

    fn into_deserializer(self) -> ValueDeserializer<'de> {
        ValueDeserializer { name: self.name, text: Some(self.text) }
    }
}
