use crate::support::{DatabaseKind, Home};

/// A fresh database. Processes die here, the database's machine does not: its commits need not wait for the disk.
pub async fn home(kind: DatabaseKind) -> Home {
    let home = Home::fresh(kind);
    match kind {
        DatabaseKind::Sqlite => {}
        DatabaseKind::Postgres => {
            let url = home.database_url();
            let (_, name) = url.rsplit_once('/').unwrap();
            let sql = format!("ALTER DATABASE {name} SET synchronous_commit TO off");
            home.database().await.execute_owned(sql).await;
        }
    }
    home
}
