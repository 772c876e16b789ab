//! What the queries of both engines rely on.

use super::*;
use crate::columns::{maybe_number, number, text};
use futures_util::future::try_join_all;

fn database() -> Connection {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch("CREATE TABLE t (name TEXT PRIMARY KEY, size INTEGER) STRICT").unwrap();
    db
}

fn sizes(db: &Connection) -> Vec<(String, Option<i64>)> {
    let rows = ready(db.query("SELECT name, size FROM t ORDER BY name", &[])).unwrap();
    rows.iter()
        .map(|row| (text(row, "name").unwrap(), maybe_number(row, "size").unwrap()))
        .collect()
}

#[test]
fn a_parameter_is_the_one_of_its_number_wherever_it_stands() {
    let db = database();
    let insert = "INSERT INTO t (size, name) VALUES ($2, $1)";
    ready(Sql::execute(&db, insert, &[&"a", &7_i64])).unwrap();
    ready(Sql::execute(&db, insert, &[&"b", &None::<i64>])).unwrap();
    let update = "UPDATE t SET size = $2 + $2 WHERE name = $1 AND size = $2";
    assert_eq!(ready(Sql::execute(&db, update, &[&"a", &7_i64])).unwrap(), 1);
    assert_eq!(sizes(&db), [("a".to_owned(), Some(14)), ("b".to_owned(), None)]);
}

#[test]
fn a_parameter_too_many_or_too_few_and_one_of_another_number_are_errors() {
    let db = database();
    let select = "SELECT name FROM t WHERE name = $1";
    let too_many = ready(db.query(select, &[&"a", &"b"]));
    assert!(matches!(too_many, Err(Error::InvalidParameterCount(2, 1))));
    let too_few = ready(db.query(select, &[]));
    assert!(matches!(too_few, Err(Error::InvalidParameterCount(0, 1))));
    let other = ready(db.query("SELECT name FROM t WHERE name = $2", &[&"a"]));
    assert!(matches!(other, Err(Error::InvalidParameterName(name)) if name == "$1"));
}

#[test]
fn columns_are_read_by_name_in_any_order_and_again() {
    let db = database();
    ready(Sql::execute(&db, "INSERT INTO t VALUES ($1, $2)", &[&"a", &7_i64])).unwrap();
    let row = ready(db.query_opt("SELECT name, size FROM t", &[])).unwrap().unwrap();
    for _ in 0..2 {
        assert_eq!(number::<_, i64>(&row, "size").unwrap(), 7);
        assert_eq!(text(&row, "name").unwrap(), "a");
        assert_eq!(number::<_, i64>(&row, "size").unwrap(), 7);
    }
    assert!(matches!(text(&row, "weight"), Err(Error::InvalidColumnName(_))));
}

/// From thirty-one on, `try_join_all` polls its futures through a queue.
#[test]
fn many_statements_that_are_joined_are_complete_at_once() {
    let db = database();
    let names: Vec<String> = (100..300).map(|number| number.to_string()).collect();
    let insert =
        async |name: &String| Sql::execute(&db, "INSERT INTO t (name) VALUES ($1)", &[name]).await;
    let written = ready(try_join_all(names.iter().map(insert))).unwrap();
    assert_eq!(written.into_iter().sum::<u64>(), 200);
    assert_eq!(sizes(&db).len(), 200);
}

#[test]
fn text_is_sorted_by_its_bytes_as_in_postgresql() {
    let db = database();
    super::super::functions::register(&db).unwrap();
    for name in ["b", "é", "B", "a"] {
        ready(Sql::execute(&db, "INSERT INTO t (name) VALUES ($1)", &[&name])).unwrap();
    }
    let select = "SELECT name FROM t ORDER BY name COLLATE \"C\"";
    let rows = ready(db.query(select, &[])).unwrap();
    let names: Vec<String> = rows.iter().map(|row| text(row, "name").unwrap()).collect();
    assert_eq!(names, ["B", "a", "b", "é"]);
}
