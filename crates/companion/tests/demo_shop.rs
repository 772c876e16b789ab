//! The demo shop's page shows the prices that its catalogue decides.

use std::{collections::BTreeMap, path::Path};

use tua_companion::catalogue::Catalogue;

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!("{name}=\""))?.1.split('"').next()
}

#[test]
fn the_page_and_the_catalogue_agree() {
    let shop = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/shop");
    let read = |name: &str| std::fs::read_to_string(shop.join(name)).unwrap();
    let catalogue = Catalogue::parse(&read("shop.toml")).unwrap();
    let page = read("index.html");
    let shown: BTreeMap<_, _> = page
        .split("<li ")
        .filter_map(|item| {
            let name = item.split_once("<h3>")?.1.split_once("</h3>")?.0;
            let price = item.split_once("GH₵")?.1.split_once('<')?.0;
            let pesewas: i64 = attribute(item, "data-pesewas")?.parse().ok()?;
            assert_eq!(price, format!("{}.{:02}", pesewas / 100, pesewas % 100), "{name}");
            Some((attribute(item, "data-sku")?.to_owned(), (name.to_owned(), pesewas)))
        })
        .collect();
    let decided: BTreeMap<_, _> = catalogue
        .items
        .iter()
        .map(|(sku, item)| (sku.clone(), (item.name.clone(), item.price.pesewas())))
        .collect();
    assert_eq!(shown, decided);
    let donation = catalogue.donation.unwrap();
    assert!(
        page.contains(&donation.name.replacen("Books", "books", 1)) && page.contains("GH₵1 to 500")
    );
    assert_eq!((donation.min.pesewas(), donation.max.pesewas()), (100, 50_000));
}
