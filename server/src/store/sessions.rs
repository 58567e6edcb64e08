use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use shared::ids::UserId;

use super::{Result, Store, WriteTx};
use crate::db;

/// SHA-256 in hex: what is stored of a session's token.
pub fn hash_token(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl WriteTx {
    /// Makes a guest with a session. `token_hash`: from [`hash_token`].
    pub async fn insert_session(
        &mut self,
        user: &UserId,
        token_hash: &str,
        now: DateTime<Utc>,
    ) -> Result<()> {
        db::query("INSERT INTO users (id, created_at) VALUES ($1, $2)")
            .bind(user.as_str())
            .bind(now.timestamp_millis())
            .execute(self.connection())
            .await?;
        db::query("INSERT INTO sessions (token_hash, user_id, created_at) VALUES ($1, $2, $3)")
            .bind(token_hash)
            .bind(user.as_str())
            .bind(now.timestamp_millis())
            .execute(self.connection())
            .await?;
        Ok(())
    }
}

impl Store {
    pub async fn user_of_session(&self, token_hash: &str) -> Result<Option<UserId>> {
        let row: Option<(String,)> = db::query_as("SELECT user_id FROM sessions WHERE token_hash = $1")
            .bind(token_hash)
            .fetch_optional(self.reader())
            .await?;
        Ok(row.map(|(id,)| UserId(id)))
    }
}
