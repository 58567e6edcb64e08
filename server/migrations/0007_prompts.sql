-- What models are told for as long as a conversation lives is the same for most of them: it is kept once, beside
-- the row that every event rewrites.
CREATE TABLE prompts (
    -- SHA-256 of the two texts, in hex; of earlier conversations the id of one that has it.
    id            TEXT PRIMARY KEY,
    system_prompt TEXT NOT NULL,
    -- JSON
    tools         TEXT NOT NULL
);
INSERT INTO prompts (id, system_prompt, tools)
    SELECT MIN(id), system_prompt, tools FROM conversations GROUP BY system_prompt, tools;
ALTER TABLE conversations ADD COLUMN prompt_id TEXT NOT NULL DEFAULT '';
UPDATE conversations SET prompt_id = (
    SELECT prompts.id FROM prompts
    WHERE prompts.system_prompt = conversations.system_prompt AND prompts.tools = conversations.tools
);
ALTER TABLE conversations DROP COLUMN system_prompt;
ALTER TABLE conversations DROP COLUMN tools;
-- A guest has few conversations: sorted when asked for, so that an event need not move it in an index.
DROP INDEX conversations_of_user;
CREATE INDEX conversations_of_user ON conversations (user_id);
