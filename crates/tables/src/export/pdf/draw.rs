//! Draws the pages of a report.

use super::{
    document::PdfReport,
    font::Fonts,
    layout::{Layout, Line, Page, Role},
    style::{FOOT, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, Style},
    tags,
};
use crate::export::ExportError;
use jiff::{Timestamp, tz::TimeZone};
use krilla::{
    Document, SerializeSettings,
    color::rgb,
    configure::{Accessibility, Archival, ConfigurationBuilder},
    destination::XyzDestination,
    geom::{PathBuilder, Point, Transform},
    metadata::{DateTime, Metadata},
    outline::{Outline, OutlineNode},
    page::PageSettings,
    paint::{Fill, Paint, Stroke},
    surface::Surface,
    tagging::{Artifact, ArtifactType, ContentTag, Identifier, SpanTag},
};

/// The size of A4 in points.
const PAGE_POINTS: (f32, f32) = (595.0, 842.0);

/// The length of the layout's unit, in points.
const UNIT: f32 = 0.01;

/// The file of a report.
///
/// # Errors
/// [`ExportError::File`].
pub(super) fn draw(
    report: &PdfReport,
    layout: &Layout<'_>,
    fonts: &Fonts,
) -> Result<Vec<u8>, ExportError> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A2_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(fault)?;
    let settings = SerializeSettings { configuration, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    let (width, height) = PAGE_POINTS;
    let mut drawn = Vec::new();
    for (index, page) in layout.pages.iter().enumerate() {
        let size = PageSettings::from_wh(width, height)
            .ok_or_else(|| ExportError::File("the size of a page".to_owned()))?;
        let mut sheet = document.start_page_with(size);
        let mut surface = sheet.surface();
        surface.push_transform(&Transform::from_scale(UNIT, UNIT));
        draw_page(&mut surface, page, fonts, &mut drawn);
        draw_margins(&mut surface, report, fonts, index, layout.pages.len());
        surface.pop();
        surface.finish();
        sheet.finish();
    }
    document.set_metadata(metadata(report));
    document.set_outline(outline(layout));
    document.set_tag_tree(tags::tree(&layout.elements, &drawn, report.language));
    document.finish().map_err(fault)
}

/// The text of a page in the order in which it is read. Each line of the structure adds what it was
/// drawn as.
fn draw_page(surface: &mut Surface<'_>, page: &Page, fonts: &Fonts, drawn: &mut Vec<Identifier>) {
    for line in &page.lines {
        match line.role {
            Role::Content(_) => {
                drawn.push(surface.start_tagged(ContentTag::Span(SpanTag::empty())));
            }
            Role::Repeated => begin_artifact(surface, ArtifactType::PaginationOther),
        }
        draw_text(surface, line, fonts, BLACK);
        surface.end_tagged();
    }
    for y in &page.rules {
        begin_artifact(surface, ArtifactType::Layout);
        let mut path = PathBuilder::new();
        path.move_to(float(MARGIN), float(*y));
        path.line_to(float(PAGE_WIDTH - MARGIN), float(*y));
        surface.set_fill(None);
        surface.set_stroke(Some(Stroke { paint: grey(GREY), width: 40.0, ..Stroke::default() }));
        if let Some(path) = path.finish() {
            surface.draw_path(&path);
        }
        surface.set_stroke(None);
        surface.end_tagged();
    }
}

/// Head and foot of a page, which screen readers leave out.
fn draw_margins(
    surface: &mut Surface<'_>,
    report: &PdfReport,
    fonts: &Fonts,
    index: usize,
    pages: usize,
) {
    let face = fonts.face(FOOT.weight);
    let bottom = PAGE_HEIGHT - MARGIN;
    let number = report
        .page_number
        .replace("{pages}", &pages.to_string())
        .replace("{page}", &(index + 1).to_string());
    let number = face.drawable(&number);
    let right = PAGE_WIDTH - MARGIN - face.width(&number, FOOT.size);
    draw_artifact(surface, fonts, ArtifactType::Footer, (MARGIN, bottom), &report.made);
    draw_artifact(surface, fonts, ArtifactType::Footer, (right, bottom), &number);
    if index > 0 {
        let top = (MARGIN, MARGIN);
        draw_artifact(surface, fonts, ArtifactType::Header, top, &report.running_head);
    }
}

fn draw_artifact(
    surface: &mut Surface<'_>,
    fonts: &Fonts,
    kind: ArtifactType,
    (x, y): (i32, i32),
    text: &str,
) {
    let text = fonts.face(FOOT.weight).drawable(text);
    begin_artifact(surface, kind);
    draw_text(surface, &Line { x, y, style: FOOT, text, role: Role::Repeated }, fonts, SOFT);
    surface.end_tagged();
}

fn begin_artifact(surface: &mut Surface<'_>, kind: ArtifactType) {
    // An artifact has no place in the structure.
    let _ = surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(kind)));
}

fn draw_text(surface: &mut Surface<'_>, line: &Line, fonts: &Fonts, shade: u8) {
    let Style { size, weight, .. } = line.style;
    let face = fonts.face(weight);
    surface.set_fill(Some(Fill { paint: grey(shade), ..Fill::default() }));
    surface.draw_glyphs(
        Point::from_xy(float(line.x), float(line.y)),
        &face.glyphs(&line.text),
        face.font(),
        &line.text,
        float(size),
        false,
    );
}

/// Shades of grey, from 0 for black to 255 for white: of text, of head and foot, and of rules.
const BLACK: u8 = 0;
const SOFT: u8 = 80;
const GREY: u8 = 190;

fn grey(shade: u8) -> Paint {
    rgb::Color::new(shade, shade, shade).into()
}

fn metadata(report: &PdfReport) -> Metadata {
    Metadata::new()
        .title(report.title.clone())
        .language(report.language.to_owned())
        .authors(vec![report.author.clone()])
        .creator("Tua".to_owned())
        .creation_date(date_time(report.made_at))
}

fn date_time(at: Timestamp) -> DateTime {
    let local = at.to_zoned(TimeZone::UTC);
    let part = |number: i8| u8::try_from(number).unwrap_or_default();
    DateTime::new(u16::try_from(local.year()).unwrap_or_default())
        .month(part(local.month()))
        .day(part(local.day()))
        .hour(part(local.hour()))
        .minute(part(local.minute()))
        .second(part(local.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}

/// The headings, with where they are.
fn outline(layout: &Layout<'_>) -> Outline {
    let mut outline = Outline::new();
    for (page, y, text) in &layout.outline {
        // A destination is in points.
        let at = Point::from_xy(0.0, float(*y / 100));
        outline.push_child(OutlineNode::new(text.clone(), XyzDestination::new(*page, at)));
    }
    outline
}

/// A length of the layout, which is below the 16,777,216 up to which these numbers are exact.
#[expect(clippy::cast_precision_loss, reason = "lengths on a page are small")]
const fn float(length: i32) -> f32 {
    length as f32
}

fn fault(error: impl std::fmt::Debug) -> ExportError {
    ExportError::File(format!("{error:?}"))
}
