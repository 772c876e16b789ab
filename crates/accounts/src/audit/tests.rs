//! Logs that were altered do not verify.

use super::*;

fn log(key: &AuditKey, entries: u64) -> (Vec<AuditEntry>, AuditHead) {
    let context = AuditContext {
        at: Timestamp::UNIX_EPOCH,
        actor: "esi".to_owned(),
        source: Source::CommandLine,
        device: None,
        key: key.clone(),
    };
    let mut head = AuditHead::first(key);
    let mut log = Vec::new();
    for number in 0..entries {
        let subject = format!("acc_{number}");
        let change =
            AuditChange { action: Action::AccountCreated, subject, before: None, after: None };
        let (entry, next) = context.append(&head, &change);
        log.push(entry);
        head = next;
    }
    (log, head)
}

fn verify(key: &AuditKey, log: &[AuditEntry], head: &AuditHead) -> Result<u64, AuditLogFault> {
    let keys = [key.clone()];
    let mut verification = AuditVerifier::new(&keys);
    log.iter().try_for_each(|entry| verification.next(entry))?;
    verification.finish(head)
}

#[test]
fn every_altered_deleted_inserted_or_truncated_entry_is_found_at_its_place() {
    let key = AuditKey::derive(1, &ServerKey::from_bytes([7; 32]));
    let (log, head) = log(&key, 5);
    assert_eq!(verify(&key, &log, &head), Ok(5));
    for at in 0..5 {
        let seq = at as u64 + 1;
        let mut altered = log.clone();
        altered[at].before = Some(String::new());
        assert_eq!(verify(&key, &altered, &head), Err(AuditLogFault::At(seq)));
        let mut deleted = log.clone();
        deleted.remove(at);
        assert_eq!(verify(&key, &deleted, &head), Err(AuditLogFault::At(seq)));
        let mut inserted = log.clone();
        inserted.insert(at, log[at].clone());
        assert_eq!(verify(&key, &inserted, &head), Err(AuditLogFault::At(seq + 1)));
    }
    assert_eq!(verify(&key, &[], &head), Err(AuditLogFault::At(1)));
    for emptied in [AuditHead::default(), AuditHead { seq: 0, ..head.clone() }] {
        assert_eq!(verify(&key, &[], &emptied), Err(AuditLogFault::Emptied));
    }
    assert_eq!(verify(&key, &[], &AuditHead::first(&key)), Ok(0));
    // A head that was set back has no seal of that place.
    let forged = AuditHead { seq: 4, seal: head.seal.clone() };
    assert_eq!(verify(&key, &log[..4], &forged), Err(AuditLogFault::At(4)));
    let other = AuditKey::derive(2, &ServerKey::from_bytes([7; 32]));
    assert_eq!(verify(&other, &log, &head), Err(AuditLogFault::KeyMissing { version: 1, seq: 1 }));
}

#[test]
fn fields_do_not_run_into_each_other() {
    assert_ne!(joined(&[Some(b"ab"), Some(b"c")]), joined(&[Some(b"a"), Some(b"bc")]));
    assert_ne!(joined(&[None]), joined(&[Some(b"")]));
}
