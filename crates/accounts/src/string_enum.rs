//! Enums whose variants each have one written form, in JSON and in the database.

/// Declares such an enum, with `ALL`, `as_str` and `parse`.
///
/// Not the crate `strum`: three derives and an attribute on each variant would say what one line
/// says here.
#[macro_export]
macro_rules! string_enum {
    ($(#[doc = $doc:literal])+ pub enum $name:ident {
        $($(#[doc = $variant_doc:literal])+ $variant:ident = $text:literal,)+
    }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $($(#[doc = $variant_doc])+ $variant,)+
        }

        impl $name {
            /// Every variant, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The written form, as JSON and the database have it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// The variant with exactly this written form; `None` for any other text.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.as_str() == text)
            }
        }
    };
}
