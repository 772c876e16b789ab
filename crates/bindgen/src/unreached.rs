//! Code that the component never comes to, and that no compiler can know about.
//!
//! Yew draws whatever a tree may hold; ours holds elements and texts only, without listeners or keys.
//! Each function named here becomes a trap before the JavaScript half is written, and everything that
//! only it used goes with it: eight to ten KB of the download. A way that led here after all would stop
//! the component, not mislead it; `tests/looks` and `tests/e2e` walk the wasm that has been through here.

use walrus::{Function, FunctionId, FunctionKind, Module};

/// (what is never done, names that lead there)
const NEVER: [(&str, &[&str]); 11] = [
    (
        "an element has a listener: the shell listens at its own element (src/shell/page.rs)",
        &[
            "::ListenerRegistration>::register",
            "::listeners::Registry>::unregister",
            "::BSubtree>::ensure_handled",
            "::SubtreeData>::add_listener",
        ],
    ),
    ("a child has a key: every child keeps its place (src/views/element.rs)", &["::BList>::apply_keyed"]),
    (
        "an element has other attributes than before: all share one list (src/views/element.rs)",
        &["::Attributes>::apply_diff_as_maps"],
    ),
    (
        "a tree holds a component, a portal, a suspense, raw HTML or a foreign node",
        &[
            "::VComp as yew::dom_bundle::traits::Reconcilable>::",
            "::VPortal as yew::dom_bundle::traits::Reconcilable>::",
            "::VRaw as yew::dom_bundle::traits::Reconcilable>::",
            "::VSuspense as yew::dom_bundle::traits::Reconcilable>::",
            "::BComp as yew::dom_bundle::traits::ReconcileTarget>::",
            "::BPortal as yew::dom_bundle::traits::ReconcileTarget>::",
            "::BRaw as yew::dom_bundle::traits::ReconcileTarget>::",
            "::BRaw>::",
            "::BSuspense as yew::dom_bundle::traits::ReconcileTarget>::",
        ],
    ),
    (
        "a component waits while it is drawn",
        &["::ComponentState>::suspend", "::BaseSuspense>::resume", "::find_parent_scope::<yew::suspense"],
    ),
    (
        "there is one of those things after all, to be taken out of its counter",
        &[
            "::VComp> as yew::utils::RcExt<",
            "::VPortal> as yew::utils::RcExt<",
            "::VRaw> as yew::utils::RcExt<",
            "::VSuspense> as yew::utils::RcExt<",
            "<alloc::rc::Rc<yew::virtual_dom::vcomp::VComp> as core::ops::drop::Drop>::drop",
            "<alloc::rc::Rc<yew::virtual_dom::vportal::VPortal> as core::ops::drop::Drop>::drop",
            "<alloc::rc::Rc<yew::virtual_dom::vraw::VRaw> as core::ops::drop::Drop>::drop",
            "<alloc::rc::Rc<yew::virtual_dom::vsuspense::VSuspense> as core::ops::drop::Drop>::drop",
        ],
    ),
    (
        "an element's attributes are a map: all are a list (src/views/element.rs)",
        &["<indexmap::map::IndexMap<", "indexmap::map::iter::Iter<"],
    ),
    (
        "a part of a tree has two owners: each drawing makes a tree of its own and gives it away",
        &[
            "<yew::virtual_dom::vnode::VNode as core::clone::Clone>::clone",
            "<yew::virtual_dom::vlist::VList as core::clone::Clone>::clone",
            "<alloc::vec::Vec<yew::virtual_dom::vnode::VNode> as core::clone::Clone>::clone",
        ],
    ),
    (
        "listeners or keys are looked up: there are none",
        &[
            "hashbrown::map::make_hash::<u32,",
            "BuildHasher>::hash_one::<&yew::dom_bundle::subtree_root::EventDescriptor>",
            "BuildHasher>::hash_one::<&yew::dom_bundle::blist::KeyedEntry>",
        ],
    ),
    (
        "a table is cleared of what was taken out of it: nothing is taken out of Yew's elements and trees",
        &["<hashbrown::raw::RawTableInner>::rehash_in_place"],
    ),
    ("a number is written with a fraction", &["<f64 as core::fmt::Display>::fmt"]),
];

/// (what always holds, the questions, their answer)
const ALWAYS: [(&str, &[&str], Answer); 2] = [
    ("no child has a key", &["::VList>::fully_keyed", "::VNode>::key", "::BNode>::key"], Answer::None),
    (
        "what is looked up is so little that all may share a hash: what is equal is told by comparing",
        &[
            "<std::hash::random::DefaultHasher as core::hash::Hasher>::finish",
            "BuildHasher>::hash_one::<&yew::dom_bundle::subtree_root::WeakSubtree>",
            "BuildHasher>::hash_one::<&alloc::string::String>",
        ],
        Answer::Zero,
    ),
];

/// Work whose result nobody reads.
const UNREAD: [&str; 1] = ["<core::hash::sip::Hasher<core::hash::sip::Sip13Rounds> as core::hash::Hasher>::write"];

/// An answer.
#[derive(Clone, Copy)]
enum Answer {
    /// No, or nothing there: 32 bits.
    None,
    /// A hash of nought: 64 bits.
    Zero,
}

/// What becomes of a function.
enum Fate {
    Trap,
    Answer(Answer),
    Nothing,
}

/// Replaces every function that is never reached, or whose answer is known.
pub fn replace(module: &mut Module) {
    let fates: Vec<(FunctionId, Fate)> = module
        .funcs
        .iter()
        .filter(|function| matches!(function.kind, FunctionKind::Local(_)))
        .filter_map(|function| Some((function.id(), fate(function.name.as_deref()?)?)))
        .collect();
    for (id, fate) in fates {
        put(module, id, &fate);
    }
}

/// Makes a trap of every way from JavaScript into a closure that JavaScript is not given: `js-sys` has one
/// for each kind of callback that there is, and nothing tells that most of them are unused.
pub fn trap_unheard(module: &mut Module) {
    let is_export = |id| module.exports.get_exported_func(id).is_some();
    // What is exported is a shim, named after the function that it calls.
    let heard: Vec<&str> = module.funcs.iter().filter(|function| is_export(function.id())).filter_map(way_in).collect();
    let unheard = module.funcs.iter().filter(|function| way_in(function).is_some_and(|name| !heard.contains(&name)));
    let unheard: Vec<FunctionId> = unheard.map(|function| function.id()).collect();
    for id in unheard {
        put(module, id, &Fate::Trap);
    }
}

/// The name of a way into a closure, without what wasm-bindgen adds to its shims.
fn way_in(function: &Function) -> Option<&str> {
    let name = function.name.as_deref().filter(|name| name.contains("::convert::closures::"))?;
    name.split(" externref shim").next()
}

fn put(module: &mut Module, id: FunctionId, fate: &Fate) {
    if let FunctionKind::Local(function) = &mut module.funcs.get_mut(id).kind {
        let mut body = function.builder_mut().func_body();
        body.instrs_mut().clear();
        match fate {
            Fate::Trap => drop(body.unreachable()),
            Fate::Answer(Answer::None) => drop(body.i32_const(0)),
            Fate::Answer(Answer::Zero) => drop(body.i64_const(0)),
            Fate::Nothing => {}
        }
    }
}

/// A name without the hashes of the crates, which change with every version.
fn plain(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

fn fate(symbol: &str) -> Option<Fate> {
    let name = plain(symbol);
    // What ends a thing must stay: whatever is not there may still be dropped.
    if name.starts_with("core::ptr::drop_in_place") {
        return None;
    }
    if UNREAD.contains(&name.as_str()) {
        return Some(Fate::Nothing);
    }
    let answer = ALWAYS.iter().find(|(_, names, _)| names.iter().any(|end| name.ends_with(end)));
    let never = NEVER.iter().any(|(_, names)| names.iter().any(|part| name.contains(part)));
    answer.map(|&(_, _, value)| Fate::Answer(value)).or(never.then_some(Fate::Trap))
}

#[cfg(test)]
mod tests {
    use super::{Answer, Fate, fate};

    #[test]
    fn names_are_read_as_the_compiler_mangles_them() {
        let listener = "_RNvMs6_NtNtCs4ENjfbE6uvo_3yew10dom_bundle12subtree_rootNtB5_11SubtreeData12add_listener";
        assert!(matches!(fate(listener), Some(Fate::Trap)));
        assert!(fate("memcpy").is_none());
    }

    #[test]
    fn what_ends_a_thing_stays() {
        assert!(
            fate("core::ptr::drop_in_place::<<yew::dom_bundle::subtree_root::SubtreeData>::add_listener>").is_none()
        );
    }

    #[test]
    fn a_question_with_one_answer_is_answered() {
        assert!(matches!(fate("<yew::virtual_dom::vlist::VList>::fully_keyed"), Some(Fate::Answer(Answer::None))));
    }
}
