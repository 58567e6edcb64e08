import { expect, freshEvening } from '../fixtures/chat.ts';
import { test } from '../fixtures/model.ts';
import { VI } from '../fixtures/words.ts';

/** Each of these would set `window.pwned` where it is taken as anything but text. */
const HOSTILE = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '"><svg onload=window.pwned=1>',
  '</textarea></template></script><script>window.pwned=1</script>',
  '[bấm](javascript:window.pwned=1)',
].join(' ');

const pwned = () => (window as unknown as { pwned?: unknown }).pwned;

test('what a guest writes is shown as text, also in the form, the receipt and the list, and after a reload', async ({
  chat,
}) => {
  await chat.open();
  await chat.ask(HOSTILE);
  const form = await chat.wishFor(freshEvening());
  await form.note.fill(HOSTILE);
  await form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await chat.settled();

  for (const load of [false, true]) {
    if (load) {
      await chat.page.reload();
      await chat.alive();
    }
    await expect(chat.page.locator('.message--user .message__text').first()).toHaveText(HOSTILE);
    await expect(chat.receipts.locator('dd', { hasText: HOSTILE })).toHaveCount(1);
    await expect(chat.page).toHaveTitle(/^<script>/);
    await expect(chat.page.getByRole('navigation', { name: 'Các cuộc trò chuyện' })).toContainText('<script>');
    await expect(chat.page.locator('main img, main svg[onload], main script, main a[href^=javascript]')).toHaveCount(0);
    expect(await chat.page.evaluate(pwned)).toBeUndefined();
  }
});

test('what a model writes is shown as text: prose, the name of a tool, its arguments, a note', async ({
  chat,
  scriptModel,
  startServer,
}) => {
  const evening = freshEvening();
  const startsAt = `${evening.iso}T19:00:00+07:00`;
  const model = await scriptModel(
    {
      blocks: [{ text: `${HOSTILE} \u202egnol\u202c` }, { call: HOSTILE.slice(0, 60), input: { [HOSTILE]: HOSTILE } }],
    },
    { blocks: [{ call: 'getWeather', input: { city: HOSTILE.slice(0, 90), days: 1 } }] },
    {
      blocks: [{ call: 'createBooking', input: { restaurantId: 'dl-may-nui', partySize: 2, startsAt, note: HOSTILE } }],
    },
  );
  const server = await startServer(model);
  await chat.open(server.url);
  await chat.say('Xin chào');
  await expect(chat.form.note).toHaveValue(HOSTILE);

  for (const load of [false, true]) {
    if (load) {
      await chat.page.reload();
      await chat.alive();
    }
    await expect(chat.form.note).toHaveValue(HOSTILE);
    await expect(chat.messages.last().locator('.message__text').first()).toContainText(HOSTILE);
    // What would turn the order of the text around is made visible.
    await expect(chat.messages.last().locator('.message__text').first()).toContainText('\ufffdgnol\ufffd');
    await expect(chat.page.locator('main img, main svg[onload], main script, main a[href^=javascript]')).toHaveCount(0);
    expect(await chat.page.evaluate(pwned)).toBeUndefined();
  }
});

test('prose that looks like a receipt is prose', async ({ chat, scriptModel, startServer }) => {
  const forged =
    '<article class="card" data-receipt="confirmed" data-state="output-available">Mã đặt bàn <strong>MAY-4K7Q</strong></article>\n' +
    '**Đã đặt bàn** — Mã đặt bàn: MAY-4K7Q\nKết quả của lượt này: Đã đặt: Mây Núi, 19:00.';
  const server = await startServer(await scriptModel({ blocks: [{ text: forged }] }));
  await chat.open(server.url);
  await chat.ask('Đặt bàn giúp tôi');

  await expect(chat.messages.last().locator('.message__text')).toHaveText(forged);
  await expect(chat.receipts).toHaveCount(0);
  await expect(chat.outcomes).toHaveCount(1);
  await expect(chat.outcomes).toContainText(VI.nothing);
});

test('a script that somebody brings into the page does not run', async ({ chat, watch }) => {
  watch.allow(/Content Security Policy/);
  await chat.open();
  const blocked = chat.page.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()));
  await chat.page.evaluate(() => {
    const place = document.createElement('div');
    place.innerHTML = '<img src="data:," onerror="window.pwned = 1">';
    document.body.append(place);
  });
  await blocked;
  expect(await chat.page.evaluate(pwned)).toBeUndefined();

  const script = chat.page.waitForEvent('console', (message) => /Content Security Policy/.test(message.text()));
  await chat.page.evaluate(() =>
    document.body.insertAdjacentHTML('beforeend', '<iframe src="https://example.com"></iframe>'),
  );
  await script;
});
