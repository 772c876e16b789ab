//! `tua-prerender OUT_DIR`: writes the modules that the loader needs before the WebAssembly is
//! there.
//!
//! - `form.js`: the form as `crates/embed/js/draw.js` draws it, from the same Yew views as the
//!   component's, its texts in every language, and the networks that prefixes suggest.
//! - `locales/<language>.js`: all texts of each language, as lines in the order of `Text::ALL`.

mod description;

use anyhow::{Context, Result};
use description::{UsedTexts, placeholders};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::{env, fs};
use tua_checkout::flow::{Form, FormRequestState, Msg, Screen, State};
use tua_checkout::locale::{Format, LANGUAGES, Text, Texts};
use tua_checkout::server::markup;
use tua_checkout::views::ViewContext;

/// The texts that the loader shows by itself.
const LOADER_TEXTS: [(&str, Text); 4] = [
    ("LANGUAGE", Text::Language),
    ("DIRECTION", Text::Direction),
    ("LOADER_FAILED", Text::LoaderFailed),
    ("LOADER_OPEN", Text::LoaderOpen),
];

/// The texts of a language by their ids. A preview lacks some.
type Language = BTreeMap<String, String>;

fn main() -> Result<()> {
    let out = env::args_os().nth(1).context("usage: tua-prerender OUT_DIR")?;
    let out = Path::new(&out);
    let locales = out.join("locales");
    fs::create_dir_all(&locales).with_context(|| locales.display().to_string())?;
    let languages = languages()?;
    write(&out.join("form.js"), &form_module(&languages)?)?;
    let english = languages.get("en").context("the English texts are missing")?;
    for (code, texts) in &languages {
        write(&locales.join(format!("{code}.js")), &locale_module(texts, english))?;
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| file.display().to_string())
}

fn languages() -> Result<BTreeMap<&'static str, Language>> {
    let read = |(code, json)| {
        Ok((code, serde_json::from_str(json).with_context(|| format!("{code}.json"))?))
    };
    LANGUAGES.into_iter().map(read).collect()
}

/// The network that the component suggests for each prefix, by the two digits after the 0.
fn hints() -> BTreeMap<String, &'static str> {
    let hint = |prefix: u8| {
        let prefix = format!("{prefix:02}");
        let state =
            State::begin(Some(Form::default())).0.update(Msg::PhoneTyped(format!("0{prefix}"))).0;
        let Screen::Loading { form: Some(form), .. } = state.screen else { return None };
        Some((prefix, form.network.network()?.as_str()))
    };
    (0..100).filter_map(hint).collect()
}

/// The form before anything was done to it (`OPEN`), the form after Pay was pressed (`QUEUED`), the
/// networks that prefixes suggest (`HINTS`), and the texts of both forms.
fn form_module(languages: &BTreeMap<&str, Language>) -> Result<String> {
    let mut form = Form::default();
    let open = State::begin(Some(form.clone())).0;
    form.sending = FormRequestState::Queued;
    let queued = State::begin(Some(form)).0;

    let mut used = UsedTexts::default();
    let mut module = String::new();
    for (name, text) in LOADER_TEXTS {
        module += &format!("export const {name} = {};\n", used.number_of(text));
    }
    for (name, state) in [("OPEN", &open), ("QUEUED", &queued)] {
        module += &format!("export const {name} = {};\n", used.describe(&rendered(state)?)?);
    }
    module += &format!("export const HINTS = {};\n", json!(hints()));
    // What a preview lacks is `null`, and shown in English. The amount is not known yet.
    let text = |texts: &Language, text: &Text| {
        Some(texts.get(text.id())?.replace("{amount}", "").trim().to_owned())
    };
    let texts = |texts| used.0.iter().map(|used| text(texts, used)).collect::<Vec<_>>();
    let texts: BTreeMap<_, _> =
        languages.iter().map(|(code, language)| (code, texts(language))).collect();
    module += &format!("export const TEXTS = {};\n", json!(texts));
    Ok(module)
}

fn rendered(state: &State) -> Result<String> {
    let context = ViewContext {
        texts: placeholders(),
        format: Rc::new(NoAmount),
        id_prefix: "tua-0-".into(),
        action: None,
        field: Default::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    Ok(runtime.block_on(markup(state.clone(), context)))
}

/// No amount is known before the session is.
struct NoAmount;

impl Format for NoAmount {
    fn money(&self, _: &str, _: &str) -> String {
        String::new()
    }

    fn moment(&self, _: &str) -> String {
        String::new()
    }
}

/// The stamp of the ids, then one line for each text; the ids themselves are of no use to a payer.
/// What a preview lacks is in English.
fn locale_module(texts: &Language, english: &Language) -> String {
    let text = |id| texts.get(id).or_else(|| english.get(id)).cloned();
    let lines = Texts::read(text);
    let lines = Text::ALL.iter().map(|text| lines.get(*text));
    let stamp = Text::STAMP.to_string();
    let lines: Vec<&str> = [stamp.as_str()].into_iter().chain(lines).collect();
    format!("export default {};\n", Value::from(lines.join("\n")))
}
