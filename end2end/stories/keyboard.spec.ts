import { expect, freshEvening, RESTAURANT, test, written } from '../fixtures/chat.ts';
import { expectVisibleFocus, tabTo } from '../fixtures/keyboard.ts';

test('a table is found, edited and booked with the keyboard alone', async ({ chat }) => {
  const evening = freshEvening();
  const { page } = chat;
  await chat.open();
  const { keyboard } = page;

  // The first stop leads past everything to the message box.
  await keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Đến ô nhập tin nhắn' });
  await expect(skip).toBeFocused();
  await expectVisibleFocus(skip);
  await keyboard.press('Enter');
  await expect(chat.composer).toBeFocused();
  await keyboard.type(`Tìm bàn ở Đà Lạt cho 4 người lúc 19:00 ngày ${written(evening)}`);
  await keyboard.press('Enter');
  await expect(chat.outcomes).toHaveCount(1);
  await chat.settled();
  await expect(chat.composer).toBeFocused();

  // Back to the times; Space presses one.
  const time = page.getByRole('button', { name: `19:00 – ${RESTAURANT}` });
  await tabTo(chat, time, 'Shift+Tab');
  await keyboard.press('Space');
  const { form } = chat;
  await expect(form.confirm).toBeEnabled();

  // The press has not thrown the reader back to the start of the page: the form is ahead.
  await tabTo(chat, form.date);
  await tabTo(chat, form.time);
  await tabTo(chat, form.party);
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('5');
  await tabTo(chat, form.note);
  await keyboard.type('Gần cửa sổ');
  await tabTo(chat, form.confirm);
  await keyboard.press('Enter');

  await expect(chat.receipts).toContainText('5 người');
  await expect(chat.receipts).toContainText('Gần cửa sổ');
  // The button is gone; the reader is at the card that it was on.
  await expect(chat.receipts).toBeFocused();
});

test('Enter in a field of the form confirms', async ({ chat }) => {
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  await form.party.press('Enter');
  await expect(chat.receipts).toHaveCount(1);
});

test('a form is declined with the keyboard, and the focus stays at its card', async ({ chat }) => {
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  await form.decline.focus();
  await chat.page.keyboard.press('Space');
  const card = chat.cards('createBooking', 'output-denied');
  await expect(card).toBeVisible();
  await expect(card).toBeFocused();
});

test('Enter sends, Shift+Enter breaks the line', async ({ chat }) => {
  await chat.open();
  await chat.composer.click();
  const { keyboard } = chat.page;
  await keyboard.type('Xin chào');
  await keyboard.press('Shift+Enter');
  await keyboard.type('bạn làm được gì?');
  await expect(chat.composer).toHaveValue('Xin chào\nbạn làm được gì?');
  await expect(chat.messages).toHaveCount(0);

  await keyboard.press('Enter');
  const said = chat.page.locator('.message--user .message__text');
  await expect(said).toHaveText('Xin chào\nbạn làm được gì?', { useInnerText: true });
  await expect(chat.composer).toHaveValue('');
  await expect(chat.composer).toBeFocused();
});

test('Enter that ends a composition of an input method sends nothing', async ({ chat }) => {
  await chat.open();
  await chat.composer.fill('Thời tiết Đà Lạt hôm nay thế nào?');
  const press = (init: { isComposing?: boolean; keyCode?: number }) =>
    chat.composer.evaluate(
      // What it answers: whether the browser goes on with the key, as input methods need it.
      (field, event) => field.dispatchEvent(new KeyboardEvent('keydown', event)),
      { key: 'Enter', bubbles: true, cancelable: true, ...init },
    );
  expect(await press({ isComposing: true })).toBe(true);
  // As Safari tells it.
  expect(await press({ keyCode: 229 })).toBe(true);
  await expect(chat.composer).toHaveValue('Thời tiết Đà Lạt hôm nay thế nào?');
  await expect(chat.messages).toHaveCount(0);

  // The next one, outside of a composition, does.
  expect(await press({})).toBe(false);
  await expect(chat.outcomes).toHaveCount(1);
  await expect(chat.messages).toHaveCount(2);
});

test('Vietnamese typed by an input method arrives as it was composed', async ({ chat }) => {
  await chat.open();
  await chat.composer.focus();
  const devtools = await chat.page.context().newCDPSession(chat.page);
  for (const text of ['d', 'dd', 'đ', 'đa', 'đà']) {
    await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await expect(chat.composer).toHaveValue('đà');
  await devtools.send('Input.insertText', { text: 'đà' });
  await chat.page.keyboard.type(' lạt có mưa không');
  await chat.page.keyboard.press('Enter');
  await expect(chat.page.locator('.message--user .message__text')).toHaveText('đà lạt có mưa không');
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
});
