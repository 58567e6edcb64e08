//! Several servers on one PostgreSQL, and a PostgreSQL that is away for a while.

mod several_servers {
    mod on_postgres;
}
mod support;
