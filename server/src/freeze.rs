//! The operators' switch: while it is thrown nothing is booked, changed or cancelled; reading goes on.
//!
//! It is the existence of a file, so that it works without a restart, for every server that sees the file,
//! and also when the database does not answer.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use crate::text::one_line;

/// Effects are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frozen {
    /// Why, in the operators' words: one line, without characters that control a screen.
    pub reason: Option<String>,
}

/// Where to look before each effect; passed in.
#[async_trait]
pub trait Freeze: Send + Sync {
    /// How it stands at this moment; none: effects may happen.
    async fn look(&self) -> Option<Frozen>;
}

/// Frozen while a file exists; its first line is the reason.
pub struct FreezeFile {
    path: Arc<Path>,
    /// As it was last seen, so that the log tells of changes and not of looks.
    last: Mutex<Seen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    Absent,
    Present(Frozen),
    /// It cannot be told whether the file is there.
    Unclear(String),
}

/// Characters of the reason.
const LONGEST_REASON: usize = 200;
/// Bytes that are read of the file: enough for the longest reason.
const READ_AT_MOST: u64 = 4096;
/// A file system that hangs is one that does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

impl FreezeFile {
    pub fn new(path: PathBuf) -> Self {
        Self { path: path.into(), last: Mutex::new(Seen::Absent) }
    }

    fn note(&self, seen: &Seen) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if *last == *seen {
            return;
        }
        let path = self.path.display();
        match seen {
            Seen::Absent => tracing::warn!("{path} is gone: effects happen again"),
            Seen::Present(Frozen { reason: Some(reason) }) => {
                tracing::warn!("{path} is there: effects are refused ({reason})");
            }
            Seen::Present(Frozen { reason: None }) => {
                tracing::warn!("{path} is there: effects are refused");
            }
            Seen::Unclear(why) => {
                tracing::error!("{path} cannot be looked at, so effects are refused: {why}");
            }
        }
        *last = seen.clone();
    }
}

#[async_trait]
impl Freeze for FreezeFile {
    async fn look(&self) -> Option<Frozen> {
        let path = self.path.clone();
        let looking = tokio::task::spawn_blocking(move || see(&path));
        let seen = match tokio::time::timeout(PATIENCE, looking).await {
            Ok(Ok(seen)) => seen,
            Ok(Err(error)) => Seen::Unclear(error.to_string()),
            Err(_) => Seen::Unclear("the file system does not answer".to_owned()),
        };
        self.note(&seen);
        match seen {
            Seen::Absent => None,
            Seen::Present(frozen) => Some(frozen),
            // The safe side: an effect that waits can still happen later.
            Seen::Unclear(_) => Some(Frozen::default()),
        }
    }
}

fn see(path: &Path) -> Seen {
    match path.metadata() {
        // A link that leads nowhere was put there by somebody, too.
        Err(error) if error.kind() == ErrorKind::NotFound => match path.symlink_metadata() {
            Ok(_) => Seen::Present(Frozen::default()),
            Err(error) if error.kind() == ErrorKind::NotFound => Seen::Absent,
            Err(error) => Seen::Unclear(error.to_string()),
        },
        Err(error) => Seen::Unclear(error.to_string()),
        // Whatever else has this name freezes too; reading a pipe would wait for its writer.
        Ok(metadata) if !metadata.is_file() => Seen::Present(Frozen::default()),
        // Its existence counts, also where it cannot be read.
        Ok(_) => Seen::Present(Frozen { reason: first_line(path) }),
    }
}

fn first_line(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(READ_AT_MOST).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    Some(one_line(line, LONGEST_REASON)).filter(|reason| !reason.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_file_is_looked_at_each_time_and_its_first_line_is_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("FREEZE");
        let freeze = FreezeFile::new(path.clone());
        assert_eq!(freeze.look().await, None);
        let long = "đ".repeat(300);
        for (content, reason) in [
            ("", None),
            ("\nsecond line", None),
            ("  Kiểm kê đến 18:00 \r\nsecond line", Some("Kiểm kê đến 18:00")),
            ("\u{feff}Bếp\u{0} \u{1b}[31mhỏng\u{202e}", Some("Bếp [31mhỏng")),
            (long.as_str(), Some(&long[..400])),
        ] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(
                freeze.look().await,
                Some(Frozen { reason: reason.map(str::to_owned) }),
                "{content:?}"
            );
        }
        std::fs::write(&path, [0xff, 0xfe, b'x']).unwrap();
        assert!(freeze.look().await.is_some());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(freeze.look().await, None);
    }

    #[tokio::test]
    async fn what_cannot_be_looked_at_counts_as_frozen() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        // Below a file there is nothing, and no "not found" either.
        assert_eq!(FreezeFile::new(file.join("FREEZE")).look().await, Some(Frozen::default()));
        // A folder by that name is there.
        assert_eq!(FreezeFile::new(folder.path().to_owned()).look().await, Some(Frozen::default()));
    }
}
