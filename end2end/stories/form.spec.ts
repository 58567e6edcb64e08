import { expect, freshEvening, test } from '../fixtures/chat.ts';
import { EN, VI } from '../fixtures/words.ts';

for (const { locale, words, range, closed, sum } of [
  {
    locale: 'vi-VN',
    words: VI,
    range: 'Phải từ 1 đến 20.',
    closed: 'Nhà hàng đóng cửa vào giờ này. Hôm đó mở cửa 10:00–22:00.',
    sum: 'Chưa gửi được: hãy sửa các ô được đánh dấu.',
  },
  {
    locale: 'en-GB',
    words: EN,
    range: 'Must be from 1 to 20.',
    closed: 'The restaurant is closed at this time. That day it is open 10:00 am–10:00 pm.',
    sum: 'Not sent: please correct the marked fields.',
  },
]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('what the server refuses is told at its field, the form stays filled, and can be corrected', async ({
      chat,
      watch,
    }) => {
      watch.allow(/status of 422/);
      const evening = freshEvening();
      await chat.open();
      const form = await chat.wishFor(evening);
      await form.note.fill('Có một bé 3 tuổi');

      for (const party of ['0', '21']) {
        await form.party.fill(party);
        await form.confirm.click();
        await expect(form.party).toHaveAccessibleDescription(new RegExp(range));
        await expect(form.party).toHaveAttribute('aria-invalid', 'true');
        await expect(form.party).toBeFocused();
        await expect(form.time).toHaveAttribute('aria-invalid', 'false');
        await expect(form.card).toContainText(sum);
        await expect(form.party).toHaveValue(party);
      }

      await form.party.fill('5');
      await form.time.fill('23:00');
      await form.confirm.click();
      await expect(form.time).toHaveAccessibleDescription(new RegExp(closed));
      await expect(form.time).toBeFocused();
      await expect(form.party).toHaveAttribute('aria-invalid', 'false');
      await expect(form.date).toHaveValue(evening.iso);
      await expect(form.party).toHaveValue('5');
      await expect(form.note).toHaveValue('Có một bé 3 tuổi');
      await expect(chat.receipts).toHaveCount(0);

      await form.time.fill('20:00');
      await form.confirm.click();
      await expect(chat.receipts).toContainText(`${words.clock('20:00')}, ${words.day(evening)}`);
      await expect(chat.receipts).toContainText(words.people(5));
      await expect(chat.receipts).toContainText('Có một bé 3 tuổi');
    });
  });
}

test('an empty field, a past day and a day too far ahead are told at the date', async ({ chat, watch }) => {
  watch.allow(/status of 422/);
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  for (const [date, words] of [
    ['', 'Chưa điền ô này.'],
    ['2020-01-01', 'Thời điểm này đã qua.'],
    ['2099-01-01', 'Chỉ nhận đặt trước tối đa 90 ngày.'],
  ] as const) {
    await form.date.fill(date);
    await form.confirm.click();
    await expect(form.date).toHaveAccessibleDescription(new RegExp(words));
  }
  await expect(chat.receipts).toHaveCount(0);
});

test('the press locks the form until the server answers', async ({ chat }) => {
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await chat.page.route('**/approvals/*', async (route) => {
    await held;
    await route.continue();
  });
  await form.confirm.click();

  await expect(form.confirm).toBeDisabled();
  await expect(form.decline).toBeDisabled();
  for (const field of [form.date, form.time, form.party, form.note]) await expect(field).toBeDisabled();
  await expect(form.card).toContainText('Đang gửi quyết định của bạn…');
  // Sent is not done.
  await expect(chat.receipts).toHaveCount(0);
  release();
  await expect(chat.receipts).toHaveCount(1);
});

test('a decision that does not reach the server can be sent again', async ({ chat, watch }) => {
  watch.allow(/ERR_CONNECTION_RESET/);
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  await chat.page.route('**/approvals/*', (route) => route.abort('connectionreset'), { times: 1 });
  await form.party.fill('3');
  await form.confirm.click();

  await expect(form.card).toContainText('Không kết nối được với máy chủ.');
  await expect(form.party).toHaveValue('3');
  await form.confirm.click();
  await expect(chat.receipts).toContainText('3 người');
});
