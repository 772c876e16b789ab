//! Names of one or two letters for what the two halves say to each other.
//!
//! wasm-bindgen names each imported function `__wbg_<what>_<16 hex digits>`, and each exported one at
//! least as long, once in the wasm and once in the JavaScript. The digits are noise that no
//! compression can take away.

/// The JavaScript half, in which names are being replaced.
#[derive(Debug)]
pub struct Glue {
    text: String,
    renamed: usize,
}

impl Glue {
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), renamed: 0 }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Replaces the key `name` of the import object. `None` leaves everything as it was: where the
    /// name is not the key of exactly one property, we have misunderstood the glue.
    pub fn rename_import(&mut self, name: &str) -> Option<String> {
        let key = format!("{name}: ");
        let is_one_property = self.text.matches(&key).count() == 1 && self.text.matches(name).count() == 1;
        is_one_property.then(|| self.replace(&key, |short| format!("{short}: ")))
    }

    /// Replaces the name of the module that all imports come from, as the last key of the import object.
    pub fn rename_module(&mut self, name: &str) -> Option<String> {
        let key = format!("\"{name}\": ");
        (self.text.matches(&key).count() == 1).then(|| self.replace(&key, |short| format!("{short}: ")))
    }

    /// Replaces the export `name` wherever the glue reaches for it, as `wasm.name`. `None` as above: where
    /// it does not, or reaches for a longer name that begins so.
    pub fn rename_export(&mut self, name: &str) -> Option<String> {
        let call = format!("wasm.{name}");
        let goes_on = |next: char| next == '_' || next == '$' || next.is_ascii_alphanumeric();
        let mut calls = self.text.match_indices(&call).map(|(at, _)| &self.text[at + call.len()..]).peekable();
        let is_understood = calls.peek().is_some() && calls.all(|rest| !rest.starts_with(goes_on));
        is_understood.then(|| self.replace(&call, |short| format!("wasm.{short}")))
    }

    fn replace(&mut self, old: &str, new: impl Fn(&str) -> String) -> String {
        let short = letters(self.renamed);
        self.renamed += 1;
        self.text = self.text.replace(old, &new(&short));
        short
    }
}

/// a, b, … z, aa, ba, …
fn letters(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + u8::try_from(number % 26).unwrap_or(0)));
        number /= 26;
        if number == 0 {
            return text;
        }
        number -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Glue, letters};

    #[test]
    fn short_names_never_repeat() {
        let mut names: Vec<String> = (0..2_000).map(letters).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 2_000);
    }

    #[test]
    fn an_import_is_renamed_once() {
        let mut glue = Glue::new("const import0 = {\n        __wbg_x_0123: function() {},\n    };");
        assert_eq!(glue.rename_import("__wbg_x_0123").as_deref(), Some("a"));
        assert_eq!(glue.text(), "const import0 = {\n        a: function() {},\n    };");
    }

    #[test]
    fn an_export_is_renamed_wherever_it_is_called() {
        let mut glue = Glue::new("wasm.__free(1); wasm.__free(2); wasm.__free_all();");
        assert_eq!(glue.rename_export("__free"), None, "a longer name begins with it");
        assert_eq!(glue.rename_export("__free_all").as_deref(), Some("a"));
        assert_eq!(glue.rename_export("__free").as_deref(), Some("b"));
        assert_eq!(glue.text(), "wasm.b(1); wasm.b(2); wasm.a();");
    }

    #[test]
    fn what_is_named_in_another_way_stays() {
        let mut glue = Glue::new("{ x: 1 } { x: 2 } imported.y()");
        assert_eq!(glue.rename_import("x"), None);
        assert_eq!(glue.rename_import("y"), None);
        assert_eq!(glue.rename_export("y"), None);
        assert_eq!(glue.text(), "{ x: 1 } { x: 2 } imported.y()");
    }
}
