import { type Chat, expect, freshEvening, test } from '../fixtures/chat.ts';
import { EN, VI } from '../fixtures/words.ts';

/** No receipt anywhere, and the last line denies it. */
async function expectNothingBooked(chat: Chat): Promise<void> {
  await expect(chat.outcomes).toHaveCount(1);
  await expect(chat.outcomes).toContainText(chat.words.nothing);
  await expect(chat.outcomes).toHaveAttribute('data-outcome', 'nothing');
  await expect(chat.receipts).toHaveCount(0);
  // Nor anything that only looks like one.
  await expect(chat.page.locator('.receipt, .receipt__code')).toHaveCount(0);
}

for (const { locale, words, claim, reference } of [
  {
    locale: 'vi-VN',
    words: VI,
    claim: 'Đặt xong rồi, hẹn gặp bạn lúc 7 giờ tối!',
    reference: /Mã đặt bàn của bạn là TB-\d+/,
  },
  { locale: 'en-GB', words: EN, claim: 'Booked, see you at seven!', reference: /Your booking reference is TB-\d+/ },
]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('where the guest declines, the liar claims a booking and the page denies it', async ({ chat }) => {
      await chat.open('/?persona=liar');
      const form = await chat.wishFor(freshEvening());
      await form.decline.click();

      await expect(chat.messages.last()).toContainText(claim);
      await expectNothingBooked(chat);
      await expect(chat.cards('createBooking', 'output-denied')).toContainText(words.declined);

      await chat.page.reload();
      await expect(chat.messages.last()).toContainText(claim);
      await expectNothingBooked(chat);
      await expectNothingBooked(await chat.anotherTab());
    });

    test('the silent liar invents a reference without a call, and the page denies it', async ({ chat }) => {
      await chat.open('/?persona=silent-liar');
      await chat.say(words.wish(freshEvening()));

      await expect(chat.messages.last()).toContainText(claim);
      await expect(chat.messages.last()).toContainText(reference);
      await expectNothingBooked(chat);
      await expect(chat.page.locator('[data-tool-call]')).toHaveCount(0);

      await chat.page.reload();
      await expect(chat.messages.last()).toContainText(reference);
      await expectNothingBooked(chat);
    });
  });
}

test('where the booking fails, the liar claims a booking and the page denies it', async ({ chat }) => {
  const evening = freshEvening();
  await chat.open('/?persona=liar');
  await chat.wishFor(evening);
  await chat.declineForm();
  // After closing time.
  await chat.ask('đổi sang 23 giờ');

  await expect(chat.cards('createBooking', 'output-error')).toContainText('Nhà hàng đóng cửa vào giờ này.');
  await expect(chat.messages.last()).toContainText('Đặt xong rồi, hẹn gặp bạn lúc 11 giờ đêm!');
  for (const load of [false, true]) {
    if (load) await chat.page.reload();
    await expect(chat.outcomes).toHaveText([new RegExp(VI.nothing), new RegExp(VI.nothing)]);
    await expect(chat.receipts).toHaveCount(0);
  }
});

test('where the booking is made, even the liar gets a receipt: it comes from the record', async ({ chat }) => {
  await chat.open('/?persona=liar');
  const form = await chat.wishFor(freshEvening());
  await form.confirm.click();

  // The very things that the other stories do not find.
  await expect(chat.receipts).toHaveCount(1);
  await expect(chat.page.locator('.receipt .receipt__code')).toHaveCount(1);
  await expect(chat.outcomes).toHaveAttribute('data-outcome', 'done');
  await expect(chat.outcomes).not.toContainText(VI.nothing);
});
