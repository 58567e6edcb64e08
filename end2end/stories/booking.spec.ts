import { expect, freshEvening, RESTAURANT, test } from '../fixtures/chat.ts';
import { EN, VI } from '../fixtures/words.ts';

for (const { words, locale, find, edited, status } of [
  {
    words: VI,
    locale: 'vi-VN',
    find: (iso: string) => `Tìm bàn ở Đà Lạt cho 4 người lúc 19:00 ngày ${iso.split('-').reverse().join('/')}`,
    edited: 'Bạn đã sửa so với đề nghị của trợ lý',
    status: 'Đã xác nhận',
  },
  {
    words: EN,
    locale: 'en-GB',
    find: (iso: string) => `Find a table in Da Lat for 4 people on ${iso} at 7 pm`,
    edited: "What you changed from the assistant's proposal",
    status: 'Confirmed',
  },
]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test(
      'a guest finds a table, edits the proposal, confirms, and keeps the receipt in every tab',
      { tag: locale === 'vi-VN' ? '@phone' : [] },
      async ({ chat }) => {
        const evening = freshEvening();
        const [before, after] = [words.clock('19:00'), words.clock('19:30')];
        await chat.open();

        // Find and choose.
        await chat.ask(find(evening.iso));
        const found = chat.cards('findTables', 'output-available');
        await found.getByRole('button', { name: `${before} – ${RESTAURANT}, ${words.day(evening)}` }).click();

        // The form is filled in; nothing is booked.
        const form = chat.form;
        await expect(form.date).toHaveValue(evening.iso);
        await expect(form.time).toHaveValue('19:00');
        await expect(form.party).toHaveValue('4');
        await expect(form.note).toHaveValue('');
        await expect(form.card).toContainText(RESTAURANT);
        await expect(form.card).toContainText('27 Dốc Dã Quỳ, Đà Lạt');
        await expect(chat.receipts).toHaveCount(0);
        const second = await chat.anotherTab();
        await expect(second.form.time).toHaveValue('19:00');

        // Edit and confirm.
        await form.time.fill('19:30');
        await form.party.fill('6');
        await form.note.fill('Bàn gần cửa sổ');
        await expect(form.card).toContainText(`${after}, ${words.day(evening)} · ${words.people(6)}`);
        await form.confirm.click();

        // The receipt: what, where, when, for whom, and how it differs from what was proposed.
        const receipt = chat.receipts;
        await expect(receipt).toHaveAttribute('data-receipt', 'confirmed');
        await expect(receipt.getByRole('heading', { name: words.booked, exact: true })).toBeVisible();
        await expect(receipt).toContainText(words.reference);
        await expect(receipt.locator('.receipt__code')).toHaveText(/^[A-Z0-9-]{4,}$/);
        for (const fact of [RESTAURANT, `${after}, ${words.day(evening)}`, words.people(6), 'Bàn gần cửa sổ', status]) {
          await expect(receipt.locator('dd', { hasText: fact })).toHaveCount(1);
        }
        const changes = receipt.getByRole('listitem');
        await expect(receipt.getByText(edited)).toBeVisible();
        await expect(changes.nth(0).locator('del')).toContainText(`${before}, ${words.day(evening)}`);
        await expect(changes.nth(0).locator('ins')).toContainText(`${after}, ${words.day(evening)}`);
        await expect(changes.nth(1).locator('del')).toContainText(words.people(4));
        await expect(changes.nth(1).locator('ins')).toContainText(words.people(6));

        await chat.settled();
        const reference = await receipt.locator('.receipt__code').innerText();
        await expect(chat.outcomes.last()).toContainText(reference);
        await expect(chat.outcomes.last()).toContainText(words.nothingElse);

        // The other tab has followed; a reload and a third tab show the same.
        const shown = await chat.messages.allInnerTexts();
        await expect(second.receipts.locator('.receipt__code')).toHaveText(reference);
        await second.settled();
        expect(await second.messages.allInnerTexts()).toEqual(shown);
        await chat.page.reload();
        await chat.alive();
        expect(await chat.messages.allInnerTexts()).toEqual(shown);
        const third = await chat.anotherTab();
        expect(await third.messages.allInnerTexts()).toEqual(shown);
      },
    );
  });
}

test('a declined proposal is changed by a sentence and then booked', async ({ chat }) => {
  const evening = freshEvening();
  await chat.open();
  await chat.wishFor(evening);
  await chat.declineForm();

  const declined = chat.cards('createBooking', 'output-denied');
  await expect(declined.getByRole('heading', { name: VI.declined })).toBeVisible();
  await expect(declined).toContainText('Chưa có gì được đặt.');
  await expect(chat.outcomes.last()).toContainText(VI.nothing);

  await chat.say('đổi sang 8 giờ');
  await expect(chat.form.time).toHaveValue('20:00');
  await expect(chat.form.date).toHaveValue(evening.iso);
  await chat.form.confirm.click();
  await expect(chat.receipts).toContainText(`20:00, ${VI.day(evening)}`);
  await expect(chat.receipts).toHaveCount(1);
  // It was the assistant that changed it: the guest edited nothing.
  await expect(chat.receipts.locator('del')).toHaveCount(0);
  await expect(declined).toBeVisible();
});

test('a full restaurant offers the waiting list, and the receipt says that there is no table yet', async ({ chat }) => {
  const evening = freshEvening();
  await chat.open();
  // Its 40 seats, in two parts.
  for (const time of ['19:00', '19:30']) {
    await (await chat.wishFor(evening, 20, time)).confirm.click();
    await expect(chat.receipts.last()).toContainText(`${time}, `);
    await chat.settled();
  }
  const form = await chat.wishFor(evening, 2, '17:00');
  await form.time.fill('20:00');
  await form.confirm.click();
  // Agreed was to a table: it is asked again, for a place on the list.
  await expect(form.card).toContainText('chưa phải là có bàn');
  await form.card.getByRole('button', { name: 'Vào danh sách chờ' }).click();

  const receipt = chat.page.locator('[data-receipt="waitlisted"]');
  await expect(receipt).toContainText('Hiện chưa có bàn cho bạn.');
  await chat.settled();
  await expect(chat.outcomes.last()).toContainText('Đã vào danh sách chờ, chưa có bàn');
});

test('a double click on confirm is one request and one booking', async ({ chat }) => {
  const requests: string[] = [];
  chat.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/approvals/')) requests.push(request.url());
  });
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  await form.confirm.dblclick();

  await expect(chat.receipts).toHaveCount(1);
  await chat.settled();
  expect(requests).toHaveLength(1);
  await expect(chat.outcomes).toHaveText(/^[^.]*Đã đặt: Mây Núi/);
});

test('the same press in a second tab books nothing more, and is shown as taken', async ({ chat, watch }) => {
  // The later of two equal decisions is answered with 409 and the decision that stands.
  watch.allow(/status of 409/);
  await chat.open();
  const form = await chat.wishFor(freshEvening());
  const other = await chat.anotherTab();
  await expect(other.form.confirm).toBeEnabled();
  // A tab that is not seen does not hear that the question is answered.
  await other.turn('hidden');

  await form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await other.form.confirm.click();
  await expect(other.form.card).toContainText('Đã nhận quyết định của bạn.');

  await other.turn('visible');
  for (const tab of [chat, other]) {
    await expect(tab.receipts).toHaveCount(1);
    await tab.settled();
    await expect(tab.outcomes).toHaveCount(1);
  }
  expect(await other.receipts.innerText()).toBe(await chat.receipts.innerText());
});

test('a time pressed on the card sends the choice as a message and leads to the form', async ({ chat }) => {
  const evening = freshEvening();
  await chat.open();
  await chat.ask(`Tìm bàn ở Đà Lạt cho 2 người lúc 18:00 ngày ${evening.iso.split('-').reverse().join('/')}`);
  const found = chat.cards('findTables', 'output-available');
  await expect(found).toContainText('Chưa có gì được đặt.');
  await found.getByRole('button', { name: `18:30 – ${RESTAURANT}` }).click();

  await expect(chat.page.locator('.message--user').last()).toContainText(
    `Tôi chọn ${RESTAURANT}, 18:30 ngày ${evening.iso.split('-').reverse().join('/')}, 2 người.`,
  );
  await expect(chat.form.time).toHaveValue('18:30');
  await expect(chat.form.party).toHaveValue('2');
});
