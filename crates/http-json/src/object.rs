//! A JSON object without duplicate names, and the serde structs that it is read into.

use crate::{
    Fault, JsonText, Refusal,
    deserializer::{FieldNames, ObjectDeserializer, ValueDeserializer},
    fault::pointer_to,
    members::Members,
};
use serde::Deserialize;
use serde_json::{error::Category, value::RawValue};
use std::borrow::Cow;
use tua_contract::ErrorCode;

/// U+FEFF in UTF-8, which editors and libraries of Windows put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How deep a body may nest.
const MAX_DEPTH: usize = 32;

/// Why a body is not a JSON object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectError {
    /// The body is not JSON, nests too deeply, or has a duplicate name. The text contains the
    /// position, and nothing of the body, which may contain personal data.
    Malformed(Cow<'static, str>),
    /// The body is JSON, but not an object.
    NotAnObject(Fault),
}

/// The members of a JSON object, in the order in which they were sent.
#[derive(Clone, Debug)]
pub struct JsonObject<'a> {
    members: Members<'a>,
    /// Where the object stands in the body.
    pointer: String,
    /// Faults that a caller has found by a rule of its own.
    refused: Vec<(&'static str, Refusal)>,
}

impl<'a> JsonObject<'a> {
    /// Parses a body strictly: UTF-8, one JSON object, no duplicate names at any depth. A byte
    /// order mark before it is skipped (RFC 8259, section 8.1). An empty array is an empty object,
    /// because PHP writes `{}` as `[]`.
    ///
    /// # Errors
    /// Every variant of [`ObjectError`].
    pub fn parse(body: &'a [u8]) -> Result<Self, ObjectError> {
        let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
        let text = std::str::from_utf8(body)
            .map_err(|_| ObjectError::Malformed("The body is not UTF-8.".into()))?;
        let whole: &RawValue =
            serde_json::from_str(text).map_err(|error| malformed(&error, text, text))?;
        let whole = JsonText(whole.get()).with_empty_object().as_str();
        if whole.starts_with('{') {
            let members = Members::parse(whole).map_err(|error| malformed(&error, text, whole))?;
            members.iter().try_for_each(|(_, value)| check(text, value, MAX_DEPTH - 1))?;
            Ok(Self { members, pointer: String::new(), refused: Vec::new() })
        } else {
            check(text, whole, MAX_DEPTH)?;
            Err(ObjectError::NotAnObject(not_an_object(
                String::new(),
                "The body must be a JSON object.",
            )))
        }
    }

    /// The object that a member of this body is, at this JSON pointer.
    ///
    /// # Errors
    /// A fault of the code `invalid_type` where the value is not an object.
    pub fn at(pointer: String, value: JsonText<'a>) -> Result<Self, Fault> {
        match Members::parse(value.with_empty_object().as_str()) {
            Ok(members) => Ok(Self { members, pointer, refused: Vec::new() }),
            Err(_) => Err(not_an_object(pointer, "This must be a JSON object.")),
        }
    }

    /// The members' names and values.
    pub fn members(&self) -> impl Iterator<Item = (&str, JsonText<'a>)> {
        self.members.iter().map(|(name, value)| (name, JsonText(value)))
    }

    /// One member; nothing where it is absent, null or not a `T`.
    #[must_use]
    pub fn get<T: Deserialize<'a>>(&self, name: &'static str) -> Option<T> {
        Option::<T>::deserialize(ValueDeserializer::new(name, self.members.find(name)))
            .ok()
            .flatten()
    }

    /// Adds a rule for one member that its type cannot check. It applies if the member is present
    /// and is a `T`.
    #[must_use]
    pub fn require<T: Deserialize<'a>>(
        mut self,
        name: &'static str,
        rule: impl FnOnce(&T) -> Result<(), Refusal>,
    ) -> Self {
        if let Some(refusal) = self.get(name).and_then(|value| rule(&value).err()) {
            self.refused.push((name, refusal));
        }
        self
    }

    /// Refuses members that exist, but not in this request. One that is null is as good as absent.
    #[must_use]
    pub fn forbid(mut self, names: &[&'static str], detail: &'static str) -> Self {
        self.members.retain(|name, value| value != "null" || !names.contains(&name));
        let sent = names.iter().filter(|name| self.members.find(name).is_some());
        let refused = sent.map(|&name| (name, Refusal::new(ErrorCode::FieldNotAllowed, detail)));
        let refused: Vec<_> = refused.collect();
        self.refused.extend(refused);
        self
    }

    /// Reads the members into a struct that derives `Deserialize`. A member that is null is as good
    /// as absent.
    ///
    /// # Errors
    /// Every fault at once: those of the struct's fields in the order of their declaration, then
    /// the other refused members, then the unknown ones.
    pub fn read<T: Deserialize<'a>>(&self) -> Result<T, Vec<Fault>> {
        let fields = FieldNames::default();
        let read = T::deserialize(ObjectDeserializer::for_struct(&self.members, &fields));
        let names = fields.get();
        let refused_as = |name: &str| self.refused.iter().find(|(refused, _)| *refused == name);
        let unknown = |name: &str| !names.contains(&name) && refused_as(name).is_none();
        if self.refused.is_empty()
            && !self.members.iter().any(|(name, _)| unknown(name))
            && read.is_ok()
        {
            return read.map_err(|_| Vec::new());
        }
        let of_fields = (0..names.len()).filter_map(|index| {
            let refusal =
                T::deserialize(ObjectDeserializer::for_field(&self.members, &fields, index))
                    .err()?
                    .into_refusal();
            let refusal =
                refusal.or_else(|| refused_as(names[index]).map(|(_, refusal)| refusal.clone()))?;
            Some(refusal.at_member(&self.pointer, names[index]))
        });
        let others = self.refused.iter().filter(|(name, _)| !names.contains(name));
        let others = others.map(|(name, refusal)| refusal.clone().at_member(&self.pointer, name));
        let unknown =
            self.members.iter().filter(|(name, _)| unknown(name)).map(|(name, _)| Fault {
                pointer: pointer_to(&self.pointer, name),
                code: ErrorCode::UnknownField.as_str(),
                detail: unknown_field(name, names).into(),
            });
        Err(of_fields.chain(others).chain(unknown).collect())
    }
}

/// What is wrong with a member that does not exist, with the field that was probably meant:
/// `return_url` is `returnUrl`.
fn unknown_field(name: &str, fields: &[&str]) -> String {
    let letters = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    match fields.iter().find(|field| letters(field) == letters(name)) {
        Some(meant) => format!("This field does not exist. Its name is {meant}."),
        None => "This field does not exist.".to_owned(),
    }
}

fn not_an_object(pointer: String, detail: &'static str) -> Fault {
    Fault { pointer, code: ErrorCode::InvalidType.as_str(), detail: detail.into() }
}

/// Checks what reading a value as raw text skips: duplicate names, the escapes in strings, and the
/// depth. `part` is the text of a value of the body.
fn check(body: &str, part: &str, depth: usize) -> Result<(), ObjectError> {
    let refused = |error: serde_json::Error| malformed(&error, body, part);
    match part.as_bytes().first() {
        Some(b'{' | b'[') if depth == 0 => {
            Err(ObjectError::Malformed("The body has more than 32 levels of nesting.".into()))
        }
        Some(b'{') => Members::parse(part)
            .map_err(refused)?
            .iter()
            .try_for_each(|(_, member)| check(body, member, depth - 1)),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(part).map_err(refused)?;
            items.into_iter().try_for_each(|item| check(body, item.get(), depth - 1))
        }
        Some(b'"') if part.contains('\\') => {
            serde_json::from_str::<String>(part).map(drop).map_err(refused)
        }
        _ => Ok(()),
    }
}

/// The error of a part of the body, with its position in the body.
fn malformed(error: &serde_json::Error, body: &str, part: &str) -> ObjectError {
    let reason = match error.classify() {
        Category::Eof => "it ends too early",
        Category::Data => "one object contains the same member twice",
        Category::Syntax | Category::Io => "a syntax error",
    };
    let start = part.as_ptr().addr().checked_sub(body.as_ptr().addr());
    let before = start.and_then(|start| body.get(..start)).unwrap_or_default();
    let line = before.matches('\n').count() + error.line();
    let column = match error.line() {
        0 | 1 => before.len() - before.rfind('\n').map_or(0, |newline| newline + 1),
        _ => 0,
    } + error.column();
    ObjectError::Malformed(
        format!("The body is not valid JSON: {reason} (line {line}, column {column}).").into(),
    )
}

#[cfg(test)]
mod tests;
