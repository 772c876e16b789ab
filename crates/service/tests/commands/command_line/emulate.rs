//! `tua emulate`.

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    process::Stdio,
};
use tua_test_support::{
    binary::{json, refused, tua},
    client,
};

#[test]
fn a_wrong_flag_or_a_busy_port_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str]| refused(tua(folder.path()).arg("emulate").args(arguments));
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    assert!(refused(&["--listen", &address]).contains(&address));
    assert!(refused(&["--listen", "0.0.0.0:0"]).contains("--allow-other-hosts"));
    assert!(refused(&["--listen", "nowhere"]).contains("--listen"));
    assert!(refused(&["--speed", "0"]).contains("--speed"));
    assert!(refused(&["--callback", "hubtel=http://127.0.0.1/"]).contains("hubtel"));
    assert!(refused(&["--chaos", "send=boom"]).contains("unknown fault"));
    assert!(refused(&["--print-config", "--listen", "127.0.0.1:0"]).contains("port"));
}

#[test]
fn the_printed_settings_name_the_listener() {
    let folder = tempfile::tempdir().unwrap();
    // The port is not bound: this one is taken.
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    let printed = json(folder.path(), &["emulate", "--print-config", "--listen", &address]);
    let config = printed["config"].as_str().unwrap().parse::<toml::Table>().unwrap();
    for (name, path) in [
        ("mtn", "mtn-momo"),
        ("paystack", "paystack"),
        ("pawapay", "pawapay"),
        ("hubtel", "hubtel"),
    ] {
        assert_eq!(
            config["operators"][name]["base-url"].as_str(),
            Some(format!("http://{address}/{path}").as_str())
        );
    }
}

#[tokio::test]
async fn it_serves_until_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = tua(folder.path());
    command
        .args(["emulate", "--listen", "127.0.0.1:0", "--speed", "20", "--json"])
        .stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready = serde_json::from_str::<serde_json::Value>(&line).unwrap();
    let orders =
        client().get(ready["orders"].as_str().unwrap()).send().await.unwrap().text().await.unwrap();
    assert_eq!(orders, "[]");
    let page =
        client().get(ready["page"].as_str().unwrap()).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("No orders yet"));
    child.kill().unwrap();
    child.wait().unwrap();
}
