//! `tua ready` asks the addresses that clients use.

use std::net::{Ipv6Addr, TcpListener};
use tua_test_support::binary::{RunningService, account, run};

#[tokio::test(flavor = "multi_thread")]
async fn a_listener_on_all_addresses_answers_on_ipv4_and_ipv6_and_both_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let listen = format!("[::]:{port}");
    let public_url = format!("http://127.0.0.1:{port}");
    let service = RunningService::start_on(folder.path(), &listen, |command| {
        command.env("TUA_PUBLIC_URL", &public_url);
    });
    let mut hosts = vec!["127.0.0.1"];
    if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok() {
        hosts.push("[::1]");
    }
    for host in hosts {
        let answer = reqwest::get(format!("http://{host}:{port}/readyz")).await.unwrap();
        assert_eq!(answer.status(), 200, "{host}");
    }
    let ready = run(folder.path(), &["ready", "--listen", &listen]);
    assert!(ready.status.success(), "{ready:?}");
    drop(service);
    let gone = run(folder.path(), &["ready", "--listen", &listen]);
    assert_eq!(gone.status.code(), Some(1), "{gone:?}");
}
