import { type Locator } from '@playwright/test';

import { Chat, expect, freshEvening, test } from '../fixtures/chat.ts';
import { EN, VI } from '../fixtures/words.ts';

/** What is to be read, but for the minutes that a form has left. */
async function texts(messages: Locator): Promise<string[]> {
  return (await messages.allInnerTexts()).map((text) => text.replace(/còn \d+ phút/, 'còn … phút'));
}

test('without JavaScript the conversation is there to read, with its cards, receipt and last lines', async ({
  chat,
  openContext,
}) => {
  const evening = freshEvening();
  await chat.open();
  await chat.ask('Thời tiết Đà Lạt 2 ngày tới');
  await (await chat.wishFor(evening)).confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await chat.settled();
  await chat.wishFor(evening, 2, '21:00');
  const shown = await texts(chat.messages);

  const plain = new Chat(
    await openContext({ javaScriptEnabled: false, storageState: await chat.page.context().storageState() }),
    VI,
  );
  await plain.page.goto(chat.page.url());
  await expect(plain.page.locator('noscript')).toContainText('Trang này cần JavaScript để gửi tin nhắn.', {
    useInnerText: true,
  });
  await expect(plain.page.locator('noscript')).toBeVisible();
  await expect(plain.cards('getWeather', 'output-available').getByRole('table')).toBeVisible();
  await expect(plain.receipts).toContainText(`19:00, ${VI.day(evening)}`);
  // Nothing can be pressed that nobody hears.
  await expect(plain.form.confirm).toBeDisabled();
  await expect(plain.sendButton).toBeDisabled();
  expect(await texts(plain.messages)).toEqual(shown);

  // The switch of the language is a link.
  await plain.page.getByRole('link', { name: 'English' }).click();
  await expect(plain.page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(plain.receipts).toContainText(`7:00 pm, ${EN.day(evening)}`);
  await plain.page.goto(chat.page.url());
  await expect(plain.page.locator('html')).toHaveAttribute('lang', 'en');
});

test('what is typed before the page is alive is kept', async ({ chat }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await chat.page.route('**/*.wasm', async (route) => {
    await held;
    await route.continue();
  });
  await chat.page.goto('/', { waitUntil: 'commit' });
  await chat.composer.fill('Thời tiết Đà Lạt hôm nay thế nào?');
  await expect(chat.hint).toHaveText(VI.loading);
  await expect(chat.sendButton).toBeDisabled();

  release();
  await chat.alive();
  await expect(chat.composer).toHaveValue('Thời tiết Đà Lạt hôm nay thế nào?');
  await chat.sendButton.click();
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
});
