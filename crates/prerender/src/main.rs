//! `tua-prerender OUT_DIR`: writes the modules that the loader needs before the WebAssembly is there.
//!
//! - `form.js`: the form as `crates/embed/js/draw.js` draws it, from the same Yew views as the component's.
//! - `locales/<language>.js`: the texts of each language, as lines in the order of `Text::ALL`.

mod description;

use anyhow::{Context, Result};
use description::describe;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::{env, fs};
use tua_checkout::flow::{Form, Sending, State};
use tua_checkout::locale::{Format, LANGUAGES, Text, Texts};
use tua_checkout::server::markup;
use tua_checkout::views::View;

fn main() -> Result<()> {
    let out = env::args_os().nth(1).context("usage: tua-prerender OUT_DIR")?;
    let out = Path::new(&out);
    let locales = out.join("locales");
    fs::create_dir_all(&locales).with_context(|| locales.display().to_string())?;
    write(&out.join("form.js"), &form_module()?)?;
    let languages = languages()?;
    let english = languages.get("en").context("the English texts are missing")?;
    for (code, texts) in &languages {
        write(&locales.join(format!("{code}.js")), &locale_module(texts, english))?;
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).with_context(|| file.display().to_string())
}

/// The form before anything was done to it, the form after Pay was pressed, and the texts that the loader shows by
/// itself, as positions in a language's lines.
fn form_module() -> Result<String> {
    let open = State::begin(Some(Form::default())).0;
    let mut form = Form::default();
    form.sending = Sending::Queued;
    let queued = State::begin(Some(form)).0;
    let mut module = format!("export const STAMP = \"{}\";\n", Text::STAMP);
    for (name, state) in [("OPEN", &open), ("QUEUED", &queued)] {
        module += &format!("export const {name} = {};\n", description_of(state)?);
    }
    for (name, text) in [
        ("LANGUAGE", Text::Language),
        ("DIRECTION", Text::Direction),
        ("LOADER_FAILED", Text::LoaderFailed),
        ("LOADER_OPEN", Text::LoaderOpen),
    ] {
        module += &format!("export const {name} = {};\n", description::line_of(text));
    }
    Ok(module)
}

fn description_of(state: &State) -> Result<Value> {
    let texts = description::placeholders();
    let view = View { texts: &texts, format: &NoAmount, prefix: "tua-0-", action: None };
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    describe(&runtime.block_on(markup(state, view)))
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

type Language = HashMap<String, String>;

fn languages() -> Result<HashMap<&'static str, Language>> {
    let read = |(code, json)| Ok((code, serde_json::from_str(json).with_context(|| format!("{code}.json"))?));
    LANGUAGES.into_iter().map(read).collect()
}

/// The stamp of the ids, then one line for each text; the ids themselves are of no use to a payer. What a preview
/// lacks is in English.
fn locale_module(texts: &Language, english: &Language) -> String {
    let text = |id| texts.get(id).or_else(|| english.get(id)).cloned();
    let lines = Texts::read(text);
    let lines = Text::ALL.iter().map(|text| lines.get(*text));
    let stamp = Text::STAMP.to_string();
    let lines: Vec<&str> = [stamp.as_str()].into_iter().chain(lines).collect();
    format!("export default {};\n", Value::from(lines.join("\n")))
}
