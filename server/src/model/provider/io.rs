//! The thread on which connections to a provider live.
//!
//! An answer comes in hundreds of small pieces. With several threads the connection's task and its reader wake
//! each other across them for every one, which costs more than all that is done with the piece; on one thread
//! they take turns. What has gathered there goes to the run's own thread in one go.

use std::io;
use std::panic::resume_unwind;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio_util::task::AbortOnDropHandle;

/// Ends with this value, and with it everything that is under way there.
pub struct IoThread {
    handle: Handle,
    _ends: oneshot::Sender<()>,
}

impl IoThread {
    /// # Errors
    /// The system gives no thread.
    pub fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (ends, ended) = oneshot::channel::<()>();
        thread::Builder::new().name("provider".to_owned()).spawn(move || {
            // Nothing is ever sent: the other side goes.
            let _ = runtime.block_on(ended);
        })?;
        Ok(Self { handle, _ends: ends })
    }

    /// Does something there. Dropped, it is given up.
    pub async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        match AbortOnDropHandle::new(self.handle.spawn(work)).await {
            Ok(done) => Some(done),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                // The thread has ended.
                Err(_) => None,
            },
        }
    }
}
