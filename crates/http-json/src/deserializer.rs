//! Feeds the members of a JSON object to a struct that derives `Deserialize`.
//!
//! A derived `Deserialize` stops at its first error. To find every fault,
//! [`crate::JsonObject::read`] runs it once for the whole object and, only where that fails, once
//! more for each field alone.

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
pub(crate) type Fields = Cell<&'static [&'static str]>;

/// Why a run ended.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A value was refused.
    Refused(Refusal),
    /// The one field of this run was accepted.
    FieldAccepted,
}

impl Stop {
    pub(crate) fn into_refusal(self) -> Option<Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::FieldAccepted => None,
        }
    }
}

impl Error for Stop {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Refused(Refusal::from_message(message.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Refused(Refusal::new(ErrorCode::InvalidType, format!("This must be {expected}.")))
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::FieldAccepted => f.write_str("the field was accepted"),
        }
    }
}

impl std::error::Error for Stop {}

/// Deserializes a struct from an object, or one field of it.
pub(crate) struct ObjectDeserializer<'r, 'a> {
    members: &'r Members<'a>,
    fields: &'r Fields,
    only: Option<usize>,
}

impl<'r, 'a> ObjectDeserializer<'r, 'a> {
    /// For the whole struct.
    pub(crate) const fn whole(members: &'r Members<'a>, fields: &'r Fields) -> Self {
        Self { members, fields, only: None }
    }

    /// For the field of this index alone. It always ends in an error; [`Stop::FieldAccepted`] is
    /// the good one.
    pub(crate) const fn only(members: &'r Members<'a>, fields: &'r Fields, index: usize) -> Self {
        Self { members, fields, only: Some(index) }
    }
}

impl<'de> Deserializer<'de> for ObjectDeserializer<'_, 'de> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        Err(Stop::invalid_type(Unexpected::Map, &visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        self.fields.set(fields);
        let names = match self.only {
            Some(index) => &fields[index..=index],
            None => fields,
        };
        let is_probe = self.only.is_some();
        visitor.visit_map(FieldAccess {
            members: self.members,
            names: names.iter(),
            current: "",
            is_probe,
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
    is_probe: bool,
}

impl<'de> MapAccess<'de> for FieldAccess<'_, 'de> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Stop> {
        match self.names.next() {
            Some(name) => {
                self.current = name;
                seed.deserialize((*name).into_deserializer()).map(Some)
            }
            None if self.is_probe => Err(Stop::FieldAccepted),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
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

    fn present(&self) -> Result<&'a str, Stop> {
        let required =
            || Refusal::new(ErrorCode::FieldRequired, format!("{} is required.", self.name));
        self.text.ok_or_else(|| Stop::Refused(required()))
    }
}

impl<'de> Deserializer<'de> for ValueDeserializer<'de> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let text = self.present()?;
        if !text.starts_with('"') {
            return Err(Stop::invalid_type(Unexpected::Other("another type"), &visitor));
        }
        // The text was checked when the body was parsed, so that this cannot fail.
        if text.contains('\\') {
            visitor.visit_string(serde_json::from_str(text).map_err(Stop::custom)?)
        } else {
            visitor.visit_borrowed_str(&text[1..text.len() - 1])
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        match self.text {
            Some(_) => visitor.visit_some(self),
            None => visitor.visit_none(),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        match name {
            JSON_TEXT => visitor.visit_borrowed_str(self.present()?),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let items: Vec<&RawValue> = serde_json::from_str(self.present()?).map_err(|_| {
            Stop::Refused(Refusal::new(ErrorCode::InvalidType, "This must be a JSON array."))
        })?;
        let items = items.into_iter().map(|item| Item(self.name, item.get()));
        visitor.visit_seq(SeqDeserializer::new(items))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// An item of an array. A null is an item too.
struct Item<'a>(&'static str, &'a str);

impl<'de> IntoDeserializer<'de, Stop> for Item<'de> {
    type Deserializer = ValueDeserializer<'de>;

    fn into_deserializer(self) -> ValueDeserializer<'de> {
        ValueDeserializer { name: self.0, text: Some(self.1) }
    }
}
