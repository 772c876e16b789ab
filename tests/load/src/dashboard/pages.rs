//! Pages of the dashboard: how long each takes, and how many bytes a first visit loads.

use super::{owner::get, seed::Seeded};
use crate::{durations::Durations, service::Shop};
use anyhow::{Context, Result};
use jiff::{ToSpan, civil::Date};
use std::time::{Duration, Instant};

/// Requests of each page. The first ones are not counted: they read the file.
const REQUESTS: usize = 40;
const WARM_UP: usize = 3;

const PAGE_TARGET: Duration = Duration::from_millis(100);
const SEARCH_TARGET: Duration = Duration::from_millis(50);
const FIRST_VISIT_MAX_BYTES: usize = 30 << 10;

/// The durations of one page.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) target: Duration,
    pub(super) durations: Durations,
    /// Of the response, as it is sent.
    pub(super) bytes: usize,
}

/// The lists, by the path of the page.
fn lists(seeded: &Seeded) -> Vec<String> {
    let deliveries = format!("/webhooks/{}/deliveries", seeded.endpoint);
    let paths = [
        "/payments",
        "/review",
        "/refunds",
        "/payouts",
        "/checkouts",
        "/links",
        "/statements",
        "/statements/days",
        "/reports/month",
        "/webhooks",
        "/operators",
        "/people",
        "/keys",
        "/audit",
        "/audit?action=key.created",
        "/settings/mail/given-up",
        "/alerts",
    ];
    let failed = format!("{deliveries}?status=FAILED");
    paths.into_iter().map(str::to_owned).chain([deliveries, failed]).collect()
}

/// Every filter of the payments, alone and with others.
fn filters(today: Date) -> Result<Vec<String>> {
    let ago = |days: i64| today.checked_sub(days.days());
    let week = ago(6)?;
    let half = ago(180)?;
    let month_of_half = ago(150)?;
    Ok(vec![
        "type=CHARGE&status=SUCCESSFUL".to_owned(),
        "status=FAILED&network=TELECEL".to_owned(),
        "type=PAYOUT&status=FAILED&network=AIRTELTIGO".to_owned(),
        "status=PENDING".to_owned(),
        format!("from={week}&to={today}"),
        format!("from={half}&to={month_of_half}&network=MTN"),
        format!("to={half}"),
        "failure=insufficient_funds".to_owned(),
        "failure=wrong_pin&network=TELECEL".to_owned(),
        "failure=otp_attempts_exhausted".to_owned(),
        "attention=flagged".to_owned(),
        "attention=uncertain&type=CHARGE".to_owned(),
        "attention=unapproved".to_owned(),
        "q=link-5&status=FAILED".to_owned(),
    ])
}

/// Measures every page, in turns of all requests of one page.
pub(super) async fn measure(shop: &Shop, seeded: &Seeded) -> Result<Vec<Measured>> {
    let Seeded { base, today, .. } = seeded;
    let mut wanted = Vec::new();
    let style = stylesheet(shop, seeded).await?;
    wanted.push(("a file of the same server".to_owned(), style, PAGE_TARGET));
    for range in [
        "range=day",
        "range=week",
        "range=month",
        &format!("from={}&to={today}", today.checked_sub(91.days())?),
    ] {
        wanted.push((format!("home {range}"), format!("{base}/home?{range}"), PAGE_TARGET));
    }
    for path in lists(seeded) {
        wanted.push((path.replace(&seeded.endpoint, "{id}"), format!("{base}{path}"), PAGE_TARGET));
    }
    for filter in filters(*today)? {
        wanted.push((filter.clone(), format!("{base}/payments?{filter}"), PAGE_TARGET));
    }
    let deep =
        older_of(shop, seeded, &format!("{base}/payments?to={}", today.checked_sub(300.days())?))
            .await?;
    if let Some(deep) = deep {
        wanted.push(("a page 300 days deep".to_owned(), deep, PAGE_TARGET));
    }
    for (name, text) in &seeded.found {
        let query = url_encoded(text);
        wanted.push((
            format!("search: {name}"),
            format!("{base}/payments?q={query}"),
            SEARCH_TARGET,
        ));
    }
    let mut client = shop.client();
    let mut measured = Vec::new();
    for (name, path, target) in wanted {
        let mut durations = Durations::default();
        let mut bytes = 0;
        for number in 0..REQUESTS + WARM_UP {
            let began = Instant::now();
            bytes = get(&mut client, seeded, &path).await?.wire_bytes();
            if number >= WARM_UP {
                durations.add(began.elapsed());
            }
        }
        measured.push(Measured { name, target, durations, bytes });
    }
    Ok(measured)
}

/// Prints what a browser loads that has none of the service's files yet.
pub(super) async fn print_first_visits(shop: &Shop, seeded: &Seeded) -> Result<()> {
    let mut client = shop.client();
    let all = ["/home", "/home?range=month"].map(str::to_owned).into_iter().chain(lists(seeded));
    let mut largest = (0, String::new());
    for path in all {
        let address = format!("{}{path}", seeded.base);
        let mut bytes = get(&mut client, seeded, &address).await?.wire_bytes();
        for file in files_of(&plain(shop, seeded, &address).await?) {
            bytes += get(&mut client, seeded, &file).await?.wire_bytes();
        }
        largest = largest.max((bytes, path));
    }
    let missed = if largest.0 >= FIRST_VISIT_MAX_BYTES { " missed" } else { "" };
    println!(
        "largest first visit, with styles and scripts: {} bytes ({}), target \
         {FIRST_VISIT_MAX_BYTES}{missed}",
        largest.0, largest.1
    );
    Ok(())
}

/// The page without a content coding, and without the character references that addresses have.
async fn plain(shop: &Shop, seeded: &Seeded, path: &str) -> Result<String> {
    let response = shop.client().get(path, &[("cookie", &seeded.cookie)]).await?;
    Ok(response.body_text()?.replace("&amp;", "&"))
}

/// The addresses of the styles and scripts of a page.
fn files_of(page: &str) -> Vec<String> {
    let addresses = page.split(['"', '\'']).filter(|part| part.starts_with('/'));
    let is_file = |part: &&str| {
        [".css", ".js", ".svg", ".woff2"].iter().any(|end| part.ends_with(end))
            && part.contains("assets")
    };
    let mut files: Vec<String> = addresses.filter(is_file).map(str::to_owned).collect();
    files.sort_unstable();
    files.dedup();
    files
}

async fn stylesheet(shop: &Shop, seeded: &Seeded) -> Result<String> {
    let page = plain(shop, seeded, &format!("{}/home", seeded.base)).await?;
    files_of(&page).into_iter().find(|file| file.ends_with(".css")).context("a style sheet")
}

/// The link to the next older page.
async fn older_of(shop: &Shop, seeded: &Seeded, path: &str) -> Result<Option<String>> {
    let page = plain(shop, seeded, path).await?;
    let link = page.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
    Ok(link.map(str::to_owned))
}

fn url_encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
