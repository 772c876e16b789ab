//! The structure of a report for screen readers.

use krilla::tagging::{
    Identifier, ListNumbering, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};
use std::num::NonZeroU16;

/// A part of the structure, with the numbers of its lines in the order in which they are read.
pub(super) enum Element {
    /// A heading of a level from 1, with its text.
    Heading {
        level: u16,
        text: String,
        lines: Vec<usize>,
    },
    Paragraph(Vec<usize>),
    /// The lines of each item.
    List(Vec<Vec<usize>>),
    /// The lines of each cell.
    Table {
        header: Vec<Vec<usize>>,
        rows: Vec<Vec<Vec<usize>>>,
    },
}

/// The structure, with what the lines were drawn as, by their number.
pub(super) fn tree(elements: &[Element], drawn: &[Identifier], language: &str) -> TagTree {
    let mut tree = TagTree::new().with_lang(Some(language.to_owned()));
    for element in elements {
        tree.push(group(element, drawn));
    }
    tree
}

fn group(element: &Element, drawn: &[Identifier]) -> TagGroup {
    match element {
        Element::Heading { level, text, lines } => {
            let level = NonZeroU16::new(*level).unwrap_or(NonZeroU16::MIN);
            with_lines(Tag::Hn(level, Some(text.clone())), lines, drawn)
        }
        Element::Paragraph(lines) => with_lines(Tag::P, lines, drawn),
        Element::List(items) => {
            let item = |lines: &Vec<usize>| {
                let body = with_lines(Tag::LBody, lines, drawn);
                Node::from(TagGroup::with_children(Tag::LI, vec![body.into()]))
            };
            let items = items.iter().map(item).collect();
            TagGroup::with_children(Tag::L(ListNumbering::None), items)
        }
        Element::Table { header, rows } => {
            let name = |lines: &Vec<usize>| {
                with_lines(Tag::TH(TableHeaderScope::Column), lines, drawn).into()
            };
            let names = TagGroup::with_children(Tag::TR, header.iter().map(name).collect());
            let head = TagGroup::with_children(Tag::THead, vec![names.into()]);
            let rows = rows.iter().map(|cells| row(cells, drawn).into()).collect();
            let body = TagGroup::with_children(Tag::TBody, rows);
            TagGroup::with_children(Tag::Table, vec![head.into(), body.into()])
        }
    }
}

/// A row of a table, whose first cell is its name.
fn row(cells: &[Vec<usize>], drawn: &[Identifier]) -> TagGroup {
    let cell = |(column, lines): (usize, &Vec<usize>)| {
        if column == 0 {
            with_lines(Tag::TH(TableHeaderScope::Row), lines, drawn).into()
        } else {
            with_lines(Tag::TD, lines, drawn).into()
        }
    };
    TagGroup::with_children(Tag::TR, cells.iter().enumerate().map(cell).collect())
}

fn with_lines(tag: impl Into<TagKind>, lines: &[usize], drawn: &[Identifier]) -> TagGroup {
    let mut group = TagGroup::new(tag);
    for identifier in lines.iter().filter_map(|number| drawn.get(*number)) {
        group.push(*identifier);
    }
    group
}
