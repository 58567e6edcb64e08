import { expect } from '../fixtures/chat.ts';
import { test } from '../fixtures/model.ts';
import { VI } from '../fixtures/words.ts';

/** At a human pace, so that there is a middle of an answer. */
const HUMAN = { TRUTHTABLE_DEMO_PACE: '1' };
const LONG = 'Bạn làm được gì?';

test('while the assistant answers nothing can be sent, the page says why, and the draft stays', async ({
  chat,
  startServer,
}) => {
  const server = await startServer(HUMAN);
  await chat.open(server.url);
  await chat.say(LONG);
  await expect(chat.page.getByText('Trợ lý đang trả lời', { exact: true })).toBeVisible();
  await chat.composer.fill('Thời tiết Huế hôm nay thế nào?');
  await expect(chat.hint).toHaveText('Trợ lý đang trả lời. Bạn có thể viết trước, gửi được khi trợ lý xong.');
  await expect(chat.sendButton).toBeDisabled();
  await chat.composer.press('Enter');

  await expect(chat.outcomes).toHaveCount(1);
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.composer).toHaveValue('Thời tiết Huế hôm nay thế nào?');
  await expect(chat.sendButton).toBeEnabled();
  await chat.composer.press('Enter');
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
});

test('text appears as it comes', async ({ chat, startServer }) => {
  const server = await startServer(HUMAN);
  await chat.open(server.url);
  await chat.say(LONG);
  const answer = chat.messages.nth(1).locator('.message__text');
  await answer.waitFor();
  const first = await answer.innerText();
  await expect(chat.stopButton).toBeVisible();
  await expect(chat.outcomes).toHaveCount(1);
  const whole = await answer.innerText();
  expect(whole.startsWith(first.trimEnd())).toBe(true);
  expect(whole.length).toBeGreaterThan(first.length);
});

test('an answer is stopped in its middle, the page says so, and another question can be asked', async ({
  chat,
  startServer,
}) => {
  const server = await startServer(HUMAN);
  await chat.open(server.url);
  await chat.say(LONG);
  await chat.messages.nth(1).locator('.message__text').waitFor();
  await chat.stopButton.click();

  await expect(chat.page.locator('[data-run-status="cancelled"]')).toContainText('Lượt này đã dừng.');
  await expect(chat.outcomes).toContainText(VI.nothing);
  const shown = await chat.messages.nth(1).innerText();
  // The end of the whole answer never came.
  expect(shown).not.toContain('cuối tuần này”.');
  await chat.page.reload();
  await chat.alive();
  expect(await chat.messages.nth(1).innerText()).toBe(shown);
  await chat.ask('Thời tiết Huế hôm nay thế nào?');
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
});

test('a call that is stopped while it is written is shown as stopped', async ({ chat, startServer }) => {
  const server = await startServer({ TRUTHTABLE_DEMO_PACE: '10' });
  await chat.open(`${server.url}/?persona=silent-liar`);
  await chat.say('Thời tiết Đà Lạt 7 ngày tới');
  await expect(chat.cards('getWeather', 'input-streaming')).toBeVisible();
  await chat.stopButton.click();

  const card = chat.cards('getWeather', 'output-cancelled');
  await expect(card).toContainText('Bạn đã dừng trợ lý trước khi việc này được thực hiện.');
  await expect(card.locator('[aria-busy="true"]')).toHaveCount(0);
  await chat.settled();
});

test('a question whose answer broke off is asked again and answered', async ({ chat, scriptModel, startServer }) => {
  const model = await scriptModel(
    { blocks: [{ text: 'Tôi đang' }], cut: true },
    { blocks: [{ text: 'Xin chào bạn!' }] },
  );
  const server = await startServer(model);
  await chat.open(server.url);
  await chat.ask('Xin chào');
  const ended = chat.page.locator('[data-run-status="interrupted"]');
  await expect(ended).toBeVisible();
  await ended.getByRole('button', { name: 'Hỏi lại' }).click();

  await expect(chat.messages.last()).toContainText('Xin chào bạn!');
  await expect(ended).toHaveCount(0);
  // The guest has said it once.
  await expect(chat.page.locator('.message--user')).toHaveCount(1);
});

test('a model that cannot be reached is told in plain words, with a reference', async ({
  chat,
  scriptModel,
  startServer,
}) => {
  // It answers every request with an error that no retry mends.
  const server = await startServer(await scriptModel());
  await chat.open(server.url);
  await chat.ask('Xin chào');
  const ended = chat.page.locator('[data-run-status="failed"]');
  await expect(ended).toContainText('Trợ lý gặp sự cố nên chưa trả lời được.');
  await expect(ended.locator('code')).not.toBeEmpty();
  await expect(ended.getByRole('button', { name: 'Hỏi lại' })).toBeEnabled();
});

test('a message that meets a live run is kept with the reason, and can be sent again', async ({ chat, watch }) => {
  watch.allow(/status of 409/);
  await chat.open();
  await chat.ask('Xin chào');
  const problem = { type: 'run-active', title: 'busy', status: 409, requestId: '1' };
  await chat.page.route(
    '**/messages',
    (route) => route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    { times: 1 },
  );
  await chat.say('Thời tiết Huế hôm nay thế nào?');
  const notice = chat.page.getByRole('alert');
  await expect(notice).toContainText('Trợ lý còn đang trả lời. Hãy đợi xong hoặc dừng rồi gửi lại.');
  await expect(chat.composer).toHaveValue('Thời tiết Huế hôm nay thế nào?');

  await notice.getByRole('button', { name: 'Thử lại' }).click();
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
  await expect(notice).toHaveCount(0);
  await expect(chat.composer).toHaveValue('');
});

test('a message on a day that is used up is kept, and the guest is told when to send it again', async ({
  chat,
  startServer,
  watch,
}) => {
  watch.allow(/status of 429/);
  const server = await startServer({ TRUTHTABLE_DAILY_TOKENS: '1' });
  await chat.open(server.url);
  await chat.ask('Xin chào');
  await chat.say('Thời tiết Huế hôm nay thế nào?');
  const notice = chat.page.getByRole('alert');
  await expect(notice).toContainText('Hôm nay bạn đã dùng hết lượt hỏi trợ lý.');
  await expect(notice).toContainText('hãy gửi lại vào ngày mai');
  await expect(chat.composer).toHaveValue('Thời tiết Huế hôm nay thế nào?');
  await expect(chat.page.locator('.message--user')).toHaveCount(1);
});

test('a message that is too long is counted and not sent', async ({ chat }) => {
  await chat.open();
  await chat.composer.fill('a'.repeat(4001));
  await expect(chat.page.getByText('Thừa 1 ký tự')).toBeVisible();
  await expect(chat.hint).toHaveText('Tin nhắn quá dài.');
  await expect(chat.composer).toHaveAttribute('aria-invalid', 'true');
  await expect(chat.sendButton).toBeDisabled();
  await chat.composer.press('Enter');
  await expect(chat.composer).toHaveValue('a'.repeat(4001));
  await chat.composer.fill('a'.repeat(4000));
  await expect(chat.page.getByText('Còn 0 ký tự')).toBeVisible();
  await expect(chat.sendButton).toBeEnabled();
});
