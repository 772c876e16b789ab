//! Replaces functions by traps, as wasm-snip does, and one function by its constant result.
//!
//! Yew can render more than the component uses, and the compiler cannot detect that. wasm-opt then
//! also removes the functions that only these called. If one of them were called after all, the
//! component would stop, and not return a wrong result. `tests/looks` and `tests/e2e` run the
//! module after this step.

use std::collections::HashSet;
use walrus::{Data, DataId, FunctionId, FunctionKind, InstrSeqBuilder, Module};

/// Functions that only one feature would call, which the component does not use.
struct Snip {
    /// The feature that would call them.
    reached_by: &'static str,
    /// Parts of their demangled names. Each must match at least one function.
    names: &'static [&'static str],
}

const SNIPS: &[Snip] = &[
    Snip {
        reached_by: "an `on…` attribute in a view: the shell listens at the root \
            (src/views/actions.rs)",
        names: &[
            "::ListenerRegistration>::register",
            "::listeners::Registry>::unregister",
            "::BSubtree>::ensure_handled",
            "::SubtreeData>::add_listener",
            "hashbrown::map::make_hash::<u32,",
            "BuildHasher>::hash_one::<&yew::dom_bundle::subtree_root::EventDescriptor>",
            // The contents of maps that stay empty.
            "<hashbrown::raw::RawTable<(yew::dom_bundle::subtree_root::EventDescriptor, \
             alloc::vec::Vec<alloc::rc::Rc<dyn yew::virtual_dom::listeners::Listener>>)> as \
             core::ops::drop::Drop>::drop",
        ],
    },
    Snip {
        reached_by: "a component in a view: the screens are functions (src/views/mod.rs)",
        names: &[
            "::VComp as yew::dom_bundle::traits::Reconcilable>::",
            "::VComp> as yew::utils::RcExt<",
            "<alloc::rc::Rc<yew::virtual_dom::vcomp::VComp>>::drop_slow",
        ],
    },
    Snip {
        reached_by: "a component or a portal in a view: only these move what they have drawn, \
            since [`CONSTANT_FUNCTIONS`] leave out lists of which every child has a `key`",
        names: &["::BNode as yew::dom_bundle::traits::ReconcileTarget>::shift"],
    },
    Snip {
        reached_by: "`yew::create_portal` in a view",
        names: &[
            "::VPortal as yew::dom_bundle::traits::Reconcilable>::",
            "::VPortal> as yew::utils::RcExt<",
            "<alloc::rc::Rc<yew::virtual_dom::vportal::VPortal>>::drop_slow",
        ],
    },
    Snip {
        reached_by: "`Html::from_html_unchecked` in a view",
        names: &[
            "::VRaw as yew::dom_bundle::traits::Reconcilable>::",
            "<yew::dom_bundle::braw::BRaw>::",
        ],
    },
    Snip {
        reached_by: "`<Suspense>` in a view, or a component that suspends",
        names: &[
            "::VSuspense as yew::dom_bundle::traits::Reconcilable>::",
            "::VSuspense> as yew::utils::RcExt<",
            "<alloc::rc::Rc<yew::virtual_dom::vsuspense::VSuspense>>::drop_slow",
            "::ComponentState>::suspend",
            "::BaseSuspense>::resume",
            "::find_parent_scope::<yew::suspense",
            "alloc::vec::Vec<yew::callback::Callback<yew::suspense::suspension::Suspension>>>>>\
             ::drop_slow",
        ],
    },
    Snip {
        reached_by: "a `VTag` that is built by hand: the attributes of `html!` are a list, not a \
            map",
        names: &[
            "<indexmap::map::IndexMap<implicit_clone::unsync::string::IString, \
             yew::virtual_dom::AttributeOrProperty",
            "<indexmap::map::iter::Iter<implicit_clone::unsync::string::IString, \
             yew::virtual_dom::AttributeOrProperty",
            "FilterMap<indexmap::map::iter::Iter<implicit_clone::unsync::string::IString, \
             yew::virtual_dom::AttributeOrProperty>, <yew::virtual_dom::Attributes>::iter",
            "<alloc::rc::Rc<indexmap::map::IndexMap<implicit_clone::unsync::string::IString, \
             yew::virtual_dom::AttributeOrProperty>>>::drop_slow",
        ],
    },
    Snip {
        reached_by: "another method than `find` of an iterator over attributes: Yew looks for \
            `xmlns`",
        names: &[
            "<yew::virtual_dom::Attributes>::iter::{closure#0}> as \
             core::iter::traits::iterator::Iterator>::nth",
            "<yew::virtual_dom::Attributes>::iter::{closure#0}> as \
             core::iter::traits::iterator::Iterator>::size_hint",
            "<yew::virtual_dom::Attributes>::iter::{closure#0}> as \
             core::iter::traits::iterator::Iterator>::advance_by",
        ],
    },
    Snip {
        reached_by: "two `html!` that draw elements with equal names and keys at one place, one \
            after the other: src/views/tests.rs finds them",
        names: &["<yew::virtual_dom::Attributes>::apply_diff_as_maps"],
    },
    Snip { reached_by: "`~property={value}` in a view", names: &["js_sys::Reflect::set"] },
    Snip {
        reached_by: "a hash map from which entries were removed before it grows: Yew only adds to \
            those that the component reaches",
        names: &["<hashbrown::raw::RawTableInner>::rehash_in_place"],
    },
    Snip {
        reached_by: "a browser without `self`: js-sys looks there first for the global object",
        names: &[
            "js_sys::global::get_global_object::WINDOW::init",
            "js_sys::global::get_global_object::GLOBAL_THIS::init",
            "js_sys::global::get_global_object::GLOBAL::init",
        ],
    },
    Snip {
        reached_by: "`#[wasm_bindgen(jspi)]`: futures that suspend what called them",
        names: &[
            "<js_sys::futures::jspi::SpawnedTask>::wake",
            "js_sys::futures::jspi::task_waker::raw_",
        ],
    },
    Snip {
        reached_by: "a node that the browser refuses to insert: Yew logs it, then it panics",
        names: &["gloo_console::externs::error"],
    },
    Snip {
        reached_by: "a closure for one of js-sys's callbacks, such as `Array::for_each`",
        names: &[
            "wasm_bindgen::convert::closures::_::invoke::<wasm_bindgen::JsValue, u32,",
            "wasm_bindgen::convert::closures::_::invoke::<wasm_bindgen::JsValue, \
             wasm_bindgen::JsValue,",
            "wasm_bindgen::convert::closures::_::invoke::<wasm_bindgen::JsValue, bool,",
            "wasm_bindgen::convert::closures::_::invoke::<wasm_bindgen::JsValue, \
             core::result::Result<bool,",
            "wasm_bindgen::convert::closures::_::invoke::<core::result::Result<",
            "wasm_bindgen::convert::closures::_::invoke::<js_sys::",
            "wasm_bindgen::convert::closures::_::invoke::<f",
            "wasm_bindgen::convert::closures::_::invoke::<i",
        ],
    },
];

/// A function that always has the same result.
struct ConstantFunction {
    /// Why the result is always this one.
    reason: &'static str,
    /// A part of its demangled name, which must match one function.
    name: &'static str,
    /// The result, which replaces the body of the function.
    result: i32,
}

/// Yew compares the children of an element by their keys if each has one, and otherwise in their
/// order. Both ways draw the same. The second one is right for every list, so a view that has such
/// a list is still drawn, only with more changes to the page.
const CONSTANT_FUNCTIONS: &[ConstantFunction] = &[ConstantFunction {
    reason: "no view has a list of which every child has a `key`",
    name: "<yew::virtual_dom::vlist::VList>::fully_keyed",
    result: 0,
}];

/// The first and the last of texts that lie side by side in the module's data, and that only
/// functions of [`SNIPS`] read: the names of Yew's listeners.
const UNREAD_TEXTS: &[(&str, &str)] = &[("onabort", "ontransitionstart")];

/// Replaces every function in [`SNIPS`] and [`CONSTANT_FUNCTIONS`], and clears [`UNREAD_TEXTS`].
///
/// # Errors
/// A name that matches no function, or a text that the data do not contain once: the compiler, Yew
/// or a view has changed, and the entry is wrong or superfluous.
pub fn snip(module: &mut Module) -> Result<(), String> {
    let functions: Vec<(FunctionId, String)> = module
        .funcs
        .iter()
        .filter(|function| matches!(function.kind, FunctionKind::Local(_)))
        .filter_map(|function| Some((function.id(), demangle(function.name.as_deref()?))))
        .collect();
    replace_by_traps(module, &functions)?;
    replace_by_results(module, &functions)?;
    clear_unread_texts(module)
}

fn replace_by_traps(module: &mut Module, functions: &[(FunctionId, String)]) -> Result<(), String> {
    let mut snipped = HashSet::new();
    for Snip { reached_by, names } in SNIPS {
        for name in *names {
            let matches = find_functions(functions, name);
            if matches.is_empty() {
                return Err(format!(
                    "no function is named `{name}`, which only {reached_by} would call: correct or \
                     remove the entry in crates/bindgen/src/snip.rs"
                ));
            }
            snipped.extend(matches);
        }
    }
    for id in snipped {
        set_body(module, id, |body| {
            body.unreachable();
        });
    }
    Ok(())
}

fn replace_by_results(
    module: &mut Module,
    functions: &[(FunctionId, String)],
) -> Result<(), String> {
    for ConstantFunction { reason, name, result } in CONSTANT_FUNCTIONS {
        let matches = find_functions(functions, name);
        let [id] = matches[..] else {
            return Err(format!(
                "{} functions are named `{name}`, whose result is {result} because {reason}: \
                 correct or remove the entry in crates/bindgen/src/snip.rs",
                matches.len()
            ));
        };
        set_body(module, id, |body| {
            body.i32_const(*result);
        });
    }
    Ok(())
}

fn clear_unread_texts(module: &mut Module) -> Result<(), String> {
    let segments: Vec<DataId> = module.data.iter().map(Data::id).collect();
    for (first, last) in UNREAD_TEXTS {
        let cleared = segments
            .iter()
            .filter_map(|id| clear(&mut module.data.get_mut(*id).value, first, last));
        if cleared.count() != 1 {
            return Err(format!(
                "the data do not contain `{first}` and then `{last}` once: correct or remove the \
                 entry in crates/bindgen/src/snip.rs"
            ));
        }
    }
    Ok(())
}

fn find_functions(functions: &[(FunctionId, String)], name: &str) -> Vec<FunctionId> {
    functions.iter().filter(|(_, full)| is_match(full, name)).map(|(id, _)| *id).collect()
}

/// Replaces the body of a function of the module.
fn set_body(module: &mut Module, id: FunctionId, write: impl FnOnce(&mut InstrSeqBuilder<'_>)) {
    if let FunctionKind::Local(function) = &mut module.funcs.get_mut(id).kind {
        let mut body = function.builder_mut().func_body();
        body.instrs_mut().clear();
        write(&mut body);
    }
}

/// Fills the bytes from the first text to the last one with zeros, which compress to nothing.
/// `None` if the data do not contain both, in this order.
fn clear(data: &mut [u8], first: &str, last: &str) -> Option<()> {
    let find = |text: &str| data.windows(text.len()).position(|bytes| bytes == text.as_bytes());
    let start = find(first)?;
    let end = find(last)? + last.len();
    data.get_mut(start..end)?.fill(0);
    Some(())
}

/// Whether the full name of a function contains the name of an entry. Destructors always stay: the
/// compiler generates calls to drop a value even if no such value is ever created.
fn is_match(full: &str, name: &str) -> bool {
    full.contains(name) && !full.starts_with("core::ptr::drop_in_place")
}

/// Demangles a name, without the crates' hashes, which change with every version.
fn demangle(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_as_the_compiler_mangles_them() {
        let symbol = "_RNvMs6_NtNtCs4ENjfbE6uvo_3yew10dom_bundle12subtree_root\
            NtB5_11SubtreeData12add_listener";
        assert!(is_match(&demangle(symbol), "::SubtreeData>::add_listener"));
        assert!(!is_match(&demangle("memcpy"), "::SubtreeData>::add_listener"));
    }

    #[test]
    fn destructors_stay() {
        let name = "core::ptr::drop_in_place::<<yew::dom_bundle::blist::BList>::apply_keyed>";
        assert!(!is_match(name, "::BList>::apply_keyed"));
    }

    #[test]
    fn texts_are_cleared_from_the_first_to_the_last() {
        let mut data = *b"divonabortonclickontransitionstartsvg";
        assert_eq!(clear(&mut data, "onabort", "ontransitionstart"), Some(()));
        assert_eq!((&data[..3], &data[34..]), (&b"div"[..], &b"svg"[..]));
        assert!(data[3..34].iter().all(|byte| *byte == 0), "{data:?}");
        assert_eq!(clear(&mut data, "onabort", "ontransitionstart"), None);
    }

    #[test]
    fn a_name_that_matches_no_function_is_an_error() {
        let error = snip(&mut Module::default()).expect_err("an empty module has no functions");
        assert!(error.contains("ListenerRegistration"), "{error}");
    }
}
