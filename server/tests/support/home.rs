use std::sync::Arc;

use tempfile::TempDir;

use super::demo_model::DemoModel;
use super::postgres::{Postgres, PostgresDatabase};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// Where servers keep their data: a fresh database, gone with the last who has it.
#[derive(Clone, Debug)]
pub struct Home(Arc<Rooms>);

#[derive(Debug)]
struct Rooms {
    place: Place,
    demo_model: DemoModel,
}

#[derive(Debug)]
enum Place {
    Folder(TempDir),
    Postgres(PostgresDatabase),
}

impl DatabaseKind {
    /// The one that tests run on which do not choose: `TRUTHTABLE_TEST_DATABASE`.
    pub fn of_this_run() -> Self {
        match std::env::var("TRUTHTABLE_TEST_DATABASE").as_deref() {
            Err(_) | Ok("" | "sqlite") => Self::Sqlite,
            Ok("postgres") => Self::Postgres,
            Ok(other) => panic!("TRUTHTABLE_TEST_DATABASE is sqlite or postgres, not {other}"),
        }
    }
}

impl Home {
    pub fn fresh(kind: DatabaseKind) -> Self {
        Self::at(match kind {
            DatabaseKind::Sqlite => Place::Folder(tempfile::tempdir().unwrap()),
            DatabaseKind::Postgres => Place::Postgres(PostgresDatabase::fresh()),
        })
    }

    /// In a PostgreSQL of the test's own.
    pub fn in_postgres(postgres: &Postgres) -> Self {
        Self::at(Place::Postgres(postgres.database()))
    }

    fn at(place: Place) -> Self {
        Self(Arc::new(Rooms { place, demo_model: DemoModel::default() }))
    }

    /// The demo model of the servers here.
    pub fn demo_model(&self) -> &DemoModel {
        &self.0.demo_model
    }

    pub fn kind(&self) -> DatabaseKind {
        match self.0.place {
            Place::Folder(_) => DatabaseKind::Sqlite,
            Place::Postgres(_) => DatabaseKind::Postgres,
        }
    }

    pub fn database_url(&self) -> String {
        match &self.0.place {
            Place::Folder(folder) => {
                format!("sqlite://{}/made/on/demand/truthtable.db", folder.path().display())
            }
            Place::Postgres(database) => database.url(),
        }
    }
}
