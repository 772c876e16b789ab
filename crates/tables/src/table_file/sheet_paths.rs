//! Which file of the archive each sheet is (ECMA-376, part 2). Calamine knows it too, and does not
//! tell it.

use super::{TableFault, archive::Archive, archive_xml::reader};
use quick_xml::{
    escape::unescape,
    events::{BytesStart, Event},
};
use std::{collections::HashMap, io::BufReader};

/// The attributes of an element, by their names without a prefix, as they are written.
type Attributes = HashMap<String, String>;

/// The path of each sheet, by its name.
///
/// # Errors
/// [`TableFault::NotAWorkbook`], also where two sheets are one file: each would be read.
pub(super) fn sheet_paths(
    archive: &mut Archive<'_>,
) -> Result<HashMap<String, String>, TableFault> {
    let workbook = workbook_path(archive)?;
    let (folder, name) =
        workbook.rsplit_once('/').map_or(("", workbook.as_str()), |(folder, name)| (folder, name));
    let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let files =
        elements(archive, &format!("{folder}_rels/{name}.rels"), "Relationships", "Relationship")?;
    let files: HashMap<&str, &str> =
        files.iter().filter_map(|one| Some((text(one, "Id")?, text(one, "Target")?))).collect();
    let mut paths = HashMap::new();
    let mut seen = Vec::new();
    for sheet in elements(archive, &workbook, "workbook", "sheet")? {
        let name = unescape(text(&sheet, "name").unwrap_or_default())
            .map_err(|_| TableFault::NotAWorkbook)?;
        let target =
            text(&sheet, "id").and_then(|id| files.get(id)).ok_or(TableFault::NotAWorkbook)?;
        let path =
            target.strip_prefix('/').map_or_else(|| format!("{folder}{target}"), str::to_owned);
        seen.push(path.to_ascii_lowercase());
        // Of two sheets with one name calamine reads the first one.
        paths.entry(name.into_owned()).or_insert(path);
    }
    let sheets = seen.len();
    seen.sort_unstable();
    seen.dedup();
    if seen.len() == sheets { Ok(paths) } else { Err(TableFault::NotAWorkbook) }
}

/// The path of the workbook's own file, usually `xl/workbook.xml`.
fn workbook_path(archive: &mut Archive<'_>) -> Result<String, TableFault> {
    let is_workbook = |one: &&Attributes| {
        text(one, "Type").is_some_and(|kind| kind.ends_with("/relationships/officeDocument"))
    };
    let files = elements(archive, "_rels/.rels", "Relationships", "Relationship")?;
    let target = files
        .iter()
        .rfind(is_workbook)
        .and_then(|one| text(one, "Target"))
        .ok_or(TableFault::NotAWorkbook)?;
    let target = unescape(target).map_err(|_| TableFault::NotAWorkbook)?;
    Ok(target.strip_prefix('/').unwrap_or(&target).to_owned())
}

fn text<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a str> {
    attributes.get(name).map(String::as_str)
}

/// The attributes of all elements of this name, until their parent ends.
fn elements(
    archive: &mut Archive<'_>,
    path: &str,
    parent: &str,
    name: &str,
) -> Result<Vec<Attributes>, TableFault> {
    let mut xml = reader(BufReader::new(archive.file(path)?));
    let mut buffer = Vec::new();
    let mut found = Vec::new();
    loop {
        buffer.clear();
        match xml.read_event_into(&mut buffer).map_err(|_| TableFault::NotAWorkbook)? {
            Event::Start(element) if element.local_name().as_ref() == name => {
                found.push(attributes(&element)?)
            }
            Event::End(element) if element.local_name().as_ref() == parent => return Ok(found),
            Event::Eof => return Err(TableFault::NotAWorkbook),
            _ => {}
        }
    }
}

fn attributes(element: &BytesStart<'_>) -> Result<Attributes, TableFault> {
    let text = |one: quick_xml::events::attributes::Attribute<'_>| {
        (one.key.local_name().as_ref().to_owned(), one.value.into_owned())
    };
    let attributes = element.attributes().map(|one| one.map(text));
    attributes.collect::<Result<_, _>>().map_err(|_| TableFault::NotAWorkbook)
}
