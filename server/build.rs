//! `sqlx::migrate!` reads its folder while it compiles; cargo must know of it.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
