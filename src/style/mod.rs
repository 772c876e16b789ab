//! The style sheet of all screens.

/// The text of the style sheet. The server also serves it for the hosted page without script.
pub const CSS: &str = include_str!("checkout.css");

#[cfg(all(feature = "csr", feature = "styles"))]
pub(crate) use adopt::adopt;

#[cfg(all(feature = "csr", feature = "styles"))]
mod adopt {
    use js_sys::{Array, Reflect};
    use std::cell::RefCell;
    use wasm_bindgen::{JsCast, JsValue};
    use web_sys::{CssStyleSheet, Element, Node};

    thread_local! {
        static SHEET: RefCell<Option<CssStyleSheet>> = const { RefCell::new(None) };
    }

    /// Adds the style sheet to the shadow root or document that contains this element, once.
    ///
    /// A constructed style sheet is not inline style, so the policy `style-src 'self'` allows it.
    /// Browsers without `adoptedStyleSheets` get a `<style>` element.
    pub(crate) fn adopt(element: &Element) {
        let root = element.get_root_node();
        if adopt_sheet(&root).is_err() {
            let _ = insert_element(&root);
        }
    }

    fn adopt_sheet(root: &Node) -> Result<(), JsValue> {
        let adopted: Array = Reflect::get(root, &"adoptedStyleSheets".into())?.dyn_into()?;
        let sheet = SHEET.with_borrow_mut(|cached| match cached {
            Some(sheet) => Ok(sheet.clone()),
            None => {
                let sheet = CssStyleSheet::new()?;
                sheet.replace_sync(super::CSS)?;
                *cached = Some(sheet.clone());
                Ok::<_, JsValue>(sheet)
            }
        })?;
        if !adopted.includes(&sheet, 0) {
            // A new array: in the first browsers with `adoptedStyleSheets`, the array is frozen.
            let next = adopted.concat(&Array::of1(&sheet));
            Reflect::set(root, &"adoptedStyleSheets".into(), &next)?;
        }
        Ok(())
    }

    fn insert_element(root: &Node) -> Option<()> {
        let document = web_sys::window()?.document()?;
        let style = document.create_element("style").ok()?;
        style.set_text_content(Some(super::CSS));
        let parent = document.head().map(Node::from).filter(|_| root.is_same_node(Some(&document)));
        parent.as_ref().unwrap_or(root).append_child(&style).ok()?;
        Some(())
    }
}
