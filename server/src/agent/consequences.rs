//! What follows from an effect for earlier calls, whosever they are: their outputs, their keys, and the
//! news for their models.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use shared::event::AgentEvent;
use shared::ids::ConversationId;

use crate::db;
use crate::ids::Ids;
use crate::store::WriteTx;
use crate::tools::contract::Consequences;

/// Ordered by id: conversations are written to in one order, so that two effects never wait for each
/// other.
pub type EventsByConversation = BTreeMap<ConversationId, Vec<AgentEvent>>;

/// Lets earlier calls follow what was done, and gives the events that tell of it. `here`: the conversation
/// in which it was done; its model reads the result.
pub async fn follow(
    tx: &mut WriteTx,
    consequences: Consequences,
    ids: &dyn Ids,
    now: DateTime<Utc>,
    here: Option<&ConversationId>,
) -> Result<EventsByConversation, db::Error> {
    let Consequences { updated, released, moved } = consequences;
    for call in &released {
        tx.release_effect(call).await?;
    }
    for moved in &moved {
        tx.move_effect(&moved.tool_call, &moved.business_key, &moved.request).await?;
    }
    let mut events = EventsByConversation::new();
    let mut told: Vec<(ConversationId, String)> = Vec::new();
    for updated in updated {
        let followed = tx.update_output(&updated.tool_call, &updated.output).await?;
        let Some((conversation, event)) = followed else { continue };
        let news = (conversation.clone(), updated.news);
        let reads_it = updated.in_result && here == Some(&conversation);
        if !reads_it && !told.contains(&news) {
            tx.insert_news(&ids.next(), &news.0, &news.1, now).await?;
            told.push(news);
        }
        events.entry(conversation).or_default().push(event);
    }
    Ok(events)
}

/// Appends the events of each conversation.
pub async fn append(
    tx: &mut WriteTx,
    events: &EventsByConversation,
    now: DateTime<Utc>,
) -> Result<(), db::Error> {
    for (conversation, events) in events {
        tx.append(conversation, now, events).await?;
    }
    Ok(())
}
