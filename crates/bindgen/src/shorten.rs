//! Import names of one or two letters.
//!
//! wasm-bindgen names each imported function `__wbg_<what>_<16 hex digits>`, once in the wasm and
//! once in the JavaScript. The digits are noise that no compression can take away.

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
    pub fn rename(&mut self, name: &str) -> Option<String> {
        let short = letters(self.renamed);
        let key = format!("{name}: ");
        let is_one_property = self.text.matches(&key).count() == 1 && self.text.matches(name).count() == 1;
        if !is_one_property {
            return None;
        }
        self.text = self.text.replacen(&key, &format!("{short}: "), 1);
        self.renamed += 1;
        Some(short)
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
    fn a_property_is_renamed_once() {
        let mut glue = Glue::new("const import0 = {\n        __wbg_x_0123: function() {},\n    };");
        assert_eq!(glue.rename("__wbg_x_0123").as_deref(), Some("a"));
        assert_eq!(glue.text(), "const import0 = {\n        a: function() {},\n    };");
    }

    #[test]
    fn what_is_not_one_property_stays() {
        let mut glue = Glue::new("{ x: 1 } { x: 2 } imported.y()");
        assert_eq!(glue.rename("x"), None);
        assert_eq!(glue.rename("y"), None);
        assert_eq!(glue.text(), "{ x: 1 } { x: 2 } imported.y()");
    }
}
