//! What keeps alert channels of one account, or of one person, from harming others.

use super::{access::kept, alert_channels::Rig};
use jiff::SignedDuration;
use tua_domain::{
    alert_channel::{ChannelDueTimes, ChannelOutcome},
    mail::AlertKind,
    people::Role,
    ports::Clock,
};
use tua_test_support::{
    test_database,
    webhook_receiver::{ResponseMode, WebhookReceiver},
};

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_neither_gets_nor_changes_the_topics_of_owners() {
    let rig = Rig::start().await;
    let admin = rig.app.browser_of(&rig.account, Role::Admin).await;
    let shown = admin.get(&rig.path("")).await.is(200).text;
    assert!(shown.contains("value=\"payments\""), "{shown}");
    for topic in ["float", "security"] {
        assert!(!shown.contains(&format!("value=\"{topic}\"")), "{topic}: {shown}");
        let fields = [("service", "https"), ("address", &*rig.receiver.url), ("topic", topic)];
        admin.post(&rig.path(""), &fields).await.is(404);
    }
    rig.add("slack", &rig.receiver.url).await;
    let (_, id) = rig.shown().await;
    let topics = rig.path(&format!("/{id}/topics"));
    admin.post(&topics, &[("topic", "security")]).await.is(404);
    admin.post(&topics, &[("topic", "webhooks")]).await.is(303);
    let stored = "SELECT count(*) FROM alert_channels WHERE topics = 'float webhooks'";
    assert_eq!(rig.app.query_number(stored), 1, "what the owner chose for owners stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_responds_delays_no_other() {
    let rig = Rig::start().await;
    rig.receiver.respond_with(ResponseMode::Never);
    rig.add("https", &rig.receiver.url).await;
    rig.alert(AlertKind::OperatorDown, "mtn").await;
    rig.app.advance(13);
    rig.receiver.wait_for_webhooks(1).await;

    let other = WebhookReceiver::start().await;
    rig.add("slack", &other.url).await;
    rig.alert(AlertKind::OperatorRecovered, "mtn").await;
    // Before the timeout of the first message.
    rig.app.advance(13);
    other.wait_for_webhooks(1).await;
    assert_eq!(rig.receiver.received().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_is_sent_at_most_once_in_fifteen_seconds() {
    let rig = Rig::start().await;
    rig.add("https", &rig.receiver.url).await;
    let (_, id) = rig.shown().await;
    let path = rig.path(&format!("/{id}/test"));
    let test = async || rig.owner.post(&path, &[]).await.is(303).header("location").to_owned();
    assert!(test().await.ends_with("?done=tested"));
    for _ in 0..3 {
        assert!(test().await.ends_with("?done=test-too-soon"));
    }
    let shown = rig.owner.get(&rig.path("?done=test-too-soon")).await.is(200).text;
    assert!(shown.contains("less than 15 seconds old"), "{shown}");
    assert_eq!(rig.receiver.received().len(), 1);
    rig.app.advance(15);
    assert!(test().await.ends_with("?done=tested"));
    assert_eq!(rig.receiver.received().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_has_nothing_of_the_address_and_a_kept_form_says_that_it_removes() {
    let rig = Rig::start().await;
    rig.add("slack", "http://127.0.0.1:1/hooks/T0SECRET").await;
    let (_, id) = rig.shown().await;
    rig.owner.post(&rig.path(&format!("/{id}/test")), &[]).await.is(303);
    let shown = rig.shown().await.0;
    assert!(shown.contains("could not be reached") && !shown.contains("T0SE"), "{shown}");

    rig.app.advance(301);
    let remove = rig.path(&format!("/{id}/remove"));
    let unproven = rig.owner.post(&remove, &[("confirmed", "yes")]).await.is(303);
    let again = rig.app.browser_of(&rig.account, Role::Owner).await;
    let form = kept(&again, &unproven).await.is(200).text;
    assert!(form.contains("<button>Remove</button>") && !form.contains(">Save<"), "{form}");
}

#[tokio::test(flavor = "multi_thread")]
async fn channels_that_work_are_first_and_a_late_result_changes_no_later_lease() {
    let rig = Rig::start().await;
    let store = &rig.app.running().store;
    rig.add("slack", &rig.receiver.url).await;
    let (_, failing) = rig.shown().await;
    rig.add("https", &rig.receiver.url).await;
    rig.alert(AlertKind::OperatorDown, "mtn").await;
    let sql = format!(
        "UPDATE alert_channels SET attempts = CASE WHEN id = '{failing}' THEN 1 ELSE 0 END, \
         next_at = CASE WHEN id = '{failing}' THEN 1 ELSE 2 END"
    );
    test_database::execute(rig.app.folder.path(), &sql);
    let lease = async |seconds| {
        let now = rig.app.clock.now() + SignedDuration::from_secs(seconds);
        let leased_until = now + SignedDuration::from_secs(30);
        let due = ChannelDueTimes { now, occurred_until: now, leased_until };
        store.lease_channels(due, 1).await.unwrap().remove(0)
    };
    let first = lease(0).await;
    assert_ne!(first.channel.id.as_str(), failing, "its next attempt was due earlier");

    let second = lease(30).await;
    assert_eq!(second.channel.id, first.channel.id);
    let now = rig.app.clock.now();
    let late = ChannelOutcome::Failed("it did not answer".to_owned());
    store.record_channel_message(&first, late, now).await.unwrap();
    store.record_channel_message(&first, ChannelOutcome::Accepted, now).await.unwrap();
    let listed = store.alert_channels(&first.channel.scope).await.unwrap();
    let after = listed.iter().find(|one| one.id == first.channel.id).unwrap();
    assert_eq!((after.attempts, after.last.as_ref()), (0, None));
    assert_eq!(rig.waiting(), 2);
    store.record_channel_message(&second, ChannelOutcome::Accepted, now).await.unwrap();
    assert_eq!(rig.waiting(), 1);
}
