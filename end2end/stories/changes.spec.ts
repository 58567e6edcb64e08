import { expectAccessible } from '../fixtures/accessibility.ts';
import { Chat, type Evening, expect, freshEvening, RESTAURANT, written } from '../fixtures/chat.ts';
import { tabTo } from '../fixtures/keyboard.ts';
import { expectGoodLooks } from '../fixtures/looks.ts';
import { type Answer, literal, test } from '../fixtures/model.ts';
import { VI } from '../fixtures/words.ts';

/** Open from 10:00 to 22:00, with 40 seats. */
const ROOMY = 'dl-may-nui';
/** Eight seats, in the evening from 17:30 to 22:00. */
const GLASSHOUSE = 'dl-nha-kinh-nho';
/** Ten seats, open from 10:30 to 21:30: where 19:00 is full, 17:00 is the time around it that is not. */
const VERANDA = 'dn-hien-gio-nam';

/** A day that no other story books for, and no Monday: then the small restaurants are closed. */
function openEvening(): Evening {
  const evening = freshEvening();
  return new Date(evening.iso).getUTCDay() === 1 ? freshEvening() : evening;
}

const at = ({ iso }: Evening, time: string) => `${iso}T${time}:00+07:00`;
/** The words for a call, as the literal model takes them. */
const call = (name: string, input: object) => `${name} ${JSON.stringify(input)}`;

const confirmCancel = { name: 'Huỷ bàn', exact: true };

/** The form that asks about a change. */
function changeForm(chat: Chat) {
  const card = chat.cards('changeBooking', 'approval-requested');
  return {
    card,
    date: card.getByLabel(VI.date, { exact: true }),
    time: card.getByLabel(VI.time, { exact: true }),
    party: card.getByLabel(VI.party, { exact: true }),
    confirm: card.getByRole('button', { name: 'Xác nhận đổi' }),
    decline: card.getByRole('button', { name: 'Giữ như cũ' }),
  };
}

/** Asks for a table, agrees, and waits for the receipt. */
async function book(chat: Chat, restaurantId: string, partySize: number, startsAt: string): Promise<void> {
  const before = await chat.receipts.count();
  await chat.ask(call('createBooking', { restaurantId, partySize, startsAt }));
  await chat.form.confirm.click();
  await expect(chat.receipts).toHaveCount(before + 1);
  await expect(chat.receipts.last()).toHaveAttribute('data-receipt', 'confirmed');
  await chat.settled();
}

/** The latest booking of the conversation, as its record has it. */
async function booked(chat: Chat): Promise<{ bookingId: string; reference: string }> {
  const path = new URL(`/api/conversations/${await chat.conversation()}`, chat.page.url());
  const { messages } = (await (await chat.page.request.get(path.href)).json()) as {
    messages: { parts: { type: string; output?: { bookingId: string; reference: string } }[] }[];
  };
  const outputs = messages.flatMap(({ parts }) => parts).filter(({ type }) => type === 'tool-createBooking');
  const output = outputs.at(-1)?.output;
  if (!output) throw new Error('nothing is booked in this conversation');
  return output;
}

/** Whether screen readers are told this from now on. To be called before what brings it about. */
function hears(chat: Chat, words: string): Promise<boolean> {
  return chat.page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        const region = document.querySelector('body > [role=status][aria-live=polite]')!;
        const listen = () => region.textContent?.includes(wanted) && resolve(true);
        new MutationObserver(listen).observe(region, { subtree: true, childList: true, characterData: true });
      }),
    words,
  );
}

test(
  'a guest books, lists, changes and cancels, and the first receipt follows in every tab',
  { tag: '@phone' },
  async ({ chat, modelThat, startServer }) => {
    const evening = openEvening();
    const day = VI.day(evening);
    let bookingId = '';
    const model = await modelThat((said): Answer => {
      if (/^Tôi muốn huỷ bàn \S+\.$/.test(said)) return { blocks: [{ call: 'cancelBooking', input: { bookingId } }] };
      return literal(said);
    });
    const server = await startServer(model);
    await chat.open(server.url);
    await book(chat, ROOMY, 4, at(evening, '19:00'));
    const { reference, ...made } = await booked(chat);
    bookingId = made.bookingId;
    // Left open where it was booked; the guest goes on in a new conversation.
    const elsewhere = await chat.anotherTab();
    const first = elsewhere.cards('createBooking', 'output-available');
    await expect(first).toHaveAttribute('data-receipt', 'confirmed');
    await chat.open(server.url);

    // The list, with what may be done.
    await chat.ask(call('listBookings', {}));
    const list = chat.cards('listBookings', 'output-available');
    await expect(list.getByRole('heading', { name: 'Các bàn bạn đã đặt (1)' })).toBeVisible();
    await expect(list.getByRole('listitem')).toHaveCount(1);
    for (const fact of [RESTAURANT, `19:00, ${day}`, '4 người', reference, 'Đã xác nhận']) {
      await expect(list.getByRole('listitem')).toContainText(fact);
    }
    const ask = await chat.outcomes.count();
    await list.getByRole('button', { name: `Đổi: ${RESTAURANT}, ${reference}` }).click();
    await expect(chat.page.locator('.message--user').last()).toContainText(`Tôi muốn đổi bàn ${reference}.`);
    await expect(chat.outcomes).toHaveCount(ask + 1);
    await chat.settled();

    // The change is proposed, edited, and confirmed.
    await chat.ask(call('changeBooking', { bookingId, startsAt: at(evening, '20:00') }));
    const form = changeForm(chat);
    await expect(form.time).toHaveValue('20:00');
    await expect(form.date).toHaveValue(evening.iso);
    await expect(form.party).toHaveValue('4');
    const difference = form.card.getByRole('listitem');
    await expect(difference).toHaveCount(1);
    await expect(difference.locator('del')).toContainText(`19:00, ${day}`);
    await expect(difference.locator('ins')).toContainText(`20:00, ${day}`);
    await form.time.fill('20:30');
    await form.party.fill('5');
    await expect(difference).toHaveCount(2);
    await expect(difference.first().locator('ins')).toContainText(`20:30, ${day}`);
    await expect(difference.last().locator('ins')).toContainText('5 người');
    await expect(chat.receipts).toHaveCount(0);
    const heard = hears(elsewhere, `Bàn ở ${RESTAURANT}, 20:30, ${day}, 5 người đã được xác nhận.`);
    await form.confirm.click();

    const changed = chat.cards('changeBooking', 'output-available');
    await expect(changed).toHaveAttribute('data-receipt', 'confirmed');
    await expect(changed.getByRole('heading', { name: 'Đã đổi bàn', exact: true })).toBeVisible();
    await expect(changed.locator('.receipt__code')).toHaveText(reference);
    await expect(changed.locator('dd', { hasText: `20:30, ${day}` })).toHaveCount(1);
    await expect(changed.getByText('Bạn đã sửa so với đề nghị của trợ lý')).toBeVisible();
    await chat.settled();
    await expect(chat.outcomes.last()).toContainText(`Đã đổi: ${RESTAURANT}, 20:30, ${day}, mã ${reference}.`);

    // The first receipt has followed, where it is.
    await expect(first).toHaveAttribute('data-revision', '1');
    await expect(first).toContainText('Đã thay đổi sau khi trả lời');
    await expect(first.locator('dd', { hasText: `20:30, ${day}` })).toHaveCount(1);
    await expect(first.getByText('Đã đổi sau đó')).toBeVisible();
    await expect(elsewhere.outcomes.last()).toContainText(`20:30, ${day}`);
    expect(await heard).toBe(true);

    // Cancelled from the list: asked about first, and by no accident of the keyboard.
    await list.getByRole('button', { name: `Huỷ: ${RESTAURANT}, ${reference}` }).click();
    const question = chat.cards('cancelBooking', 'approval-requested');
    await expect(question.getByRole('button', confirmCancel)).toBeEnabled();
    for (const fact of [RESTAURANT, `20:30, ${day}`, '5 người', reference]) await expect(question).toContainText(fact);
    await expect(question.getByRole('button', confirmCancel)).not.toBeFocused();
    await chat.settled();
    const heardCancelled = hears(elsewhere, `Bàn ở ${RESTAURANT}, 20:30, ${day}, 5 người đã huỷ.`);
    await question.getByRole('button', confirmCancel).click();

    const cancelled = chat.cards('cancelBooking', 'output-available');
    await expect(cancelled).toHaveAttribute('data-receipt', 'cancelled');
    await chat.settled();
    await expect(chat.outcomes.last()).toContainText(`Đã huỷ: ${RESTAURANT}, 20:30, ${day}, mã ${reference}.`);
    for (const receipt of [first, changed]) {
      await expect(receipt).toHaveAttribute('data-receipt', 'cancelled');
      await expect(receipt.getByRole('heading', { name: 'Bàn này đã được huỷ' })).toBeVisible();
      await expect(receipt.getByText('Đã huỷ, không giữ bàn')).toBeVisible();
      await expect(receipt.locator('.receipt__code s')).toHaveText(reference);
    }
    await expect(elsewhere.outcomes.last()).toHaveAttribute('data-deeds', 'over');
    await expect(elsewhere.outcomes.last()).toContainText('Đã đặt, sau đó đã huỷ');
    expect(await heardCancelled).toBe(true);

    // A load shows the same.
    for (const tab of [chat, elsewhere]) {
      const shown = await tab.messages.allInnerTexts();
      await tab.page.reload();
      await tab.alive();
      expect(await tab.messages.allInnerTexts()).toEqual(shown);
    }
  },
);

test('who keeps the booking has it unchanged', async ({ chat, modelThat, startServer }) => {
  const evening = openEvening();
  const server = await startServer(await modelThat(literal));
  await chat.open(server.url);
  await book(chat, ROOMY, 2, at(evening, '19:00'));
  const { bookingId } = await booked(chat);

  await chat.ask(call('cancelBooking', { bookingId }));
  await chat.cards('cancelBooking').getByRole('button', { name: 'Giữ lại bàn' }).click();
  const kept = chat.cards('cancelBooking', 'output-denied');
  await expect(kept).toContainText('Không có gì bị huỷ.');
  await chat.settled();

  await chat.ask(call('changeBooking', { bookingId, partySize: 3 }));
  await changeForm(chat).decline.click();
  await expect(chat.cards('changeBooking', 'output-denied')).toContainText('Không có gì thay đổi.');
  await chat.settled();
  await expect(chat.outcomes.last()).toContainText(VI.nothing);
  await expect(chat.receipts).toHaveCount(1);
  await expect(chat.receipts).toHaveAttribute('data-receipt', 'confirmed');
  await expect(chat.receipts).not.toHaveAttribute('data-revision', /./);
});

test('who waits gets the table of whoever cancels, live and in plain sight', async ({
  chat,
  modelThat,
  openContext,
  startServer,
}) => {
  const evening = openEvening();
  const startsAt = at(evening, '19:00');
  const server = await startServer(await modelThat(literal));
  await chat.open(server.url);
  await book(chat, GLASSHOUSE, 8, startsAt);
  const { bookingId } = await booked(chat);

  // Another guest, for whom nothing is left.
  const waiting = await new Chat(await openContext(), VI).open(server.url);
  await waiting.ask(call('createBooking', { restaurantId: GLASSHOUSE, partySize: 2, startsAt }));
  await expect(waiting.form.card).toContainText('chưa phải là có bàn');
  await waiting.form.card.getByRole('button', { name: 'Vào danh sách chờ' }).click();
  const receipt = waiting.receipts;
  await expect(receipt).toHaveAttribute('data-receipt', 'waitlisted');
  await waiting.settled();
  await expect(waiting.outcomes.last()).toHaveAttribute('data-deeds', 'waits');

  const heard = hears(waiting, `Bàn ở Nhà Kính Nhỏ, 19:00, ${VI.day(evening)}, 2 người đã được xác nhận.`);
  await chat.ask(call('cancelBooking', { bookingId }));
  await chat.cards('cancelBooking').getByRole('button', confirmCancel).click();
  await expect(chat.cards('cancelBooking', 'output-available')).toHaveCount(1);

  for (const load of [false, true]) {
    if (load) {
      await waiting.page.reload();
      await waiting.alive();
    }
    await expect(receipt).toHaveAttribute('data-receipt', 'confirmed');
    await expect(receipt.getByRole('heading', { name: 'Đã có bàn cho bạn' })).toBeVisible();
    await expect(receipt.getByText('Bàn này nay đã được giữ cho bạn.')).toBeVisible();
    await expect(receipt).toContainText('Đã thay đổi sau khi trả lời');
    await expect(receipt).not.toContainText('Hiện chưa có bàn cho bạn.');
    await expect(waiting.outcomes.last()).toHaveAttribute('data-deeds', 'stands');
    await expect(waiting.outcomes.last()).toContainText('Đã đặt: Nhà Kính Nhỏ');
    await expectAccessible(waiting.page);
  }
  expect(await heard).toBe(true);
});

test('a time that has gone meanwhile is told with fresh times, and one of them is booked', async ({
  chat,
  modelThat,
  openContext,
  startServer,
}) => {
  const evening = openEvening();
  const startsAt = at(evening, '19:00');
  const server = await startServer(await modelThat(literal));
  await chat.open(server.url);
  await chat.ask(call('createBooking', { restaurantId: VERANDA, partySize: 2, startsAt }));
  const { form } = chat;
  await expect(form.card).toContainText('Xác nhận sẽ đặt bàn này cho bạn ngay.');
  // Somebody else is faster.
  const rival = await new Chat(await openContext(), VI).open(server.url);
  await book(rival, VERANDA, 10, startsAt);

  const heard = hears(chat, `19:00, ${VI.day(evening)} hiện đã hết bàn cho 2 người. Còn bàn lúc 17:00.`);
  await form.confirm.click();
  const fresh = form.card.getByRole('button', { name: `Chọn 17:00, ${VI.day(evening)}` });
  await expect(fresh).toBeEnabled();
  expect(await heard).toBe(true);
  await expect(form.card).toContainText(`19:00, ${VI.day(evening)} hiện đã hết bàn cho 2 người.`);
  await expect(form.card.getByRole('button', { name: 'Vào danh sách chờ' })).toBeVisible();
  await expect(chat.receipts).toHaveCount(0);
  await expectAccessible(chat.page);

  // With the keyboard: the press fills the form in, and books nothing.
  await tabTo(chat, fresh);
  await chat.page.keyboard.press('Space');
  await expect(form.time).toHaveValue('17:00');
  await expect(form.date).toHaveValue(evening.iso);
  await expect(fresh).toHaveAttribute('aria-pressed', 'true');
  await expect(fresh).toBeFocused();
  await expect(form.card).toContainText('Còn bàn lúc 17:00. Xác nhận sẽ đặt bàn này cho bạn ngay.');
  await expect(form.card.getByRole('button', { name: 'Vào danh sách chờ' })).toHaveCount(0);
  await expect(chat.receipts).toHaveCount(0);
  // A time of which nobody knows anything is promised to nobody.
  await form.time.fill('18:00');
  await expect(form.card.getByRole('button', { name: 'Đặt bàn hoặc vào danh sách chờ' })).toBeVisible();
  await fresh.click();
  await form.confirm.click();

  await expect(chat.receipts).toHaveAttribute('data-receipt', 'confirmed');
  await expect(chat.receipts.locator('dd', { hasText: `17:00, ${VI.day(evening)}` })).toHaveCount(1);
  await chat.settled();
  await expect(chat.outcomes.last()).toContainText('Đã đặt: Hiên Gió Nam, 17:00');
});

test('a change to a full time keeps the booking and leads to a time with room, before and after the form', async ({
  chat,
  modelThat,
  openContext,
  startServer,
  watch,
}) => {
  watch.allow(/status of 422/);
  const evening = openEvening();
  const full = at(evening, '19:00');
  let bookingId = '';
  const model = await modelThat((said): Answer => {
    const [, time] = /^Đổi bàn \S+ sang (\d\d:\d\d) ngày \d\d\/\d\d\/\d{4}\.$/.exec(said) ?? [];
    return time
      ? { blocks: [{ call: 'changeBooking', input: { bookingId, startsAt: at(evening, time) } }] }
      : literal(said);
  });
  const server = await startServer(model);
  const rival = await new Chat(await openContext(), VI).open(server.url);
  await book(rival, VERANDA, 10, full);
  await chat.open(server.url);
  await book(chat, VERANDA, 2, at(evening, '12:00'));
  const { reference, ...made } = await booked(chat);
  bookingId = made.bookingId;

  // Proposed: refused, with a time to ask for. A press says so in the guest's name.
  await chat.ask(call('changeBooking', { bookingId, startsAt: full }));
  const refused = chat.cards('changeBooking', 'output-error');
  await expect(refused).toContainText('Không có gì thay đổi.');
  await expect(refused).toContainText('Giờ này không còn đủ chỗ.');
  await expectAccessible(chat.page);
  await refused.getByRole('button', { name: `Chuyển sang 17:00, ${VI.day(evening)}` }).click();
  await expect(chat.page.locator('.message--user').last()).toContainText(
    `Đổi bàn ${reference} sang 17:00 ngày ${written(evening)}.`,
  );
  const form = changeForm(chat);
  await expect(form.time).toHaveValue('17:00');
  await chat.settled();

  // Edited to the full time: told at the field, with the same way out.
  await form.time.fill('19:00');
  await form.confirm.click();
  await expect(form.time).toHaveAccessibleDescription(/Giờ này không còn đủ chỗ\./);
  await expect(form.time).toBeFocused();
  const offered = form.card.getByRole('button', { name: `Chọn 17:00, ${VI.day(evening)}` });
  await offered.click();
  await expect(form.time).toHaveValue('17:00');
  await expect(form.time).toHaveAttribute('aria-invalid', 'false');
  await expect(offered).toBeFocused();
  await expect(form.card).toContainText('Còn bàn lúc 17:00.');
  await form.confirm.click();

  const changed = chat.cards('changeBooking', 'output-available');
  await expect(changed).toHaveAttribute('data-receipt', 'confirmed');
  await expect(changed.locator('dd', { hasText: `17:00, ${VI.day(evening)}` })).toHaveCount(1);
  await chat.settled();
  await expect(chat.cards('createBooking').locator('dd', { hasText: `17:00, ${VI.day(evening)}` })).toHaveCount(1);
});

test('a booking is cancelled with the keyboard alone, and the focus stays at its card', async ({
  chat,
  modelThat,
  startServer,
}) => {
  const server = await startServer(await modelThat(literal));
  await chat.open(server.url);
  await book(chat, ROOMY, 2, at(openEvening(), '19:00'));
  const { bookingId } = await booked(chat);
  await chat.composer.focus();
  await chat.page.keyboard.type(call('cancelBooking', { bookingId }));
  await chat.page.keyboard.press('Enter');
  const question = chat.cards('cancelBooking', 'approval-requested');
  const yes = question.getByRole('button', confirmCancel);
  const no = question.getByRole('button', { name: 'Giữ lại bàn' });
  await expect(yes).toBeEnabled();
  await chat.settled();
  // Nothing takes the focus by itself: a key that was meant for the composer cancels nothing.
  await expect(chat.composer).toBeFocused();

  await tabTo(chat, no, 'Shift+Tab');
  await tabTo(chat, yes, 'Shift+Tab');
  await chat.page.keyboard.press('Enter');
  const done = chat.cards('cancelBooking', 'output-available');
  await expect(done).toBeVisible();
  await expect(done).toBeFocused();
  await expect(chat.cards('createBooking')).toHaveAttribute('data-receipt', 'cancelled');
});

test('a receipt that changes out of sight moves nothing that is read', async ({ chat, modelThat, startServer }) => {
  const server = await startServer(await modelThat(literal));
  await chat.page.setViewportSize({ width: 1000, height: 520 });
  await chat.open(server.url);
  await book(chat, ROOMY, 2, at(openEvening(), '19:00'));
  const { bookingId } = await booked(chat);
  for (const city of ['Đà Lạt', 'Hà Nội', 'Đà Nẵng']) await chat.ask(call('getWeather', { city, days: 7 }));
  await chat.page.mouse.move(500, 200);
  await chat.page.mouse.wheel(0, -200);
  await expect(chat.page.getByRole('button', { name: 'Xuống tin mới nhất' })).toBeVisible();
  await expect(chat.receipts).not.toBeInViewport();
  const read = chat.cards('getWeather').nth(2);
  await expect(read).toBeInViewport();
  const place = () => read.evaluate((it) => Math.round(it.getBoundingClientRect().top));
  // Where the wheel has come to rest.
  let before = NaN;
  await expect
    .poll(async () => {
      const last = before;
      before = await place();
      return before === last;
    })
    .toBe(true);

  const other = await chat.anotherTab(server.url);
  await other.ask(call('cancelBooking', { bookingId }));
  await other.cards('cancelBooking').getByRole('button', confirmCancel).click();
  await expect(chat.receipts).toHaveAttribute('data-receipt', 'cancelled');
  await expect(chat.announced).toContainText('đã huỷ.');
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(1);
  await expect(chat.receipts).not.toBeInViewport();
});

test('a request that counts already in another conversation says so, and links to nothing', async ({
  chat,
  modelThat,
  startServer,
}) => {
  const evening = openEvening();
  const server = await startServer(await modelThat(literal));
  await chat.open(server.url);
  await book(chat, ROOMY, 2, at(evening, '19:00'));
  const again = call('createBooking', { restaurantId: ROOMY, partySize: 2, startsAt: at(evening, '19:00') });

  await chat.ask(again);
  const repeated = chat.cards('createBooking', 'output-cancelled');
  await expect(repeated.getByRole('link', { name: 'Xem kết quả trước' })).toBeVisible();

  await chat.open(server.url);
  await chat.ask(again);
  await expect(repeated).toContainText('Kết quả trước vẫn giữ nguyên');
  await expect(repeated).toContainText('một cuộc trò chuyện khác của bạn');
  await expect(repeated.getByRole('link')).toHaveCount(0);
  await expect(chat.outcomes).toContainText('Không có gì mới được đặt');
  await expect(chat.receipts).toHaveCount(0);
});

const narrow = { viewport: { width: 320, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

for (const [name, options] of [
  ['light, at a desk', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['dark, on a phone of 320 pixels', { ...narrow, colorScheme: 'dark' }],
] as const) {
  test.describe(name, () => {
    test.use(options);

    test('the cards of changing one’s mind are accessible and fit', async ({ chat, modelThat, startServer, watch }) => {
      test.slow();
      watch.allow(/status of 422/);
      const evening = openEvening();
      const server = await startServer(await modelThat(literal));
      await chat.open(server.url);
      await chat.ask(call('listBookings', {}));
      await expect(chat.cards('listBookings', 'output-available')).toContainText('Bạn chưa đặt bàn nào.');
      await book(chat, VERANDA, 10, at(evening, '19:00'));
      const { bookingId } = await booked(chat);
      await book(chat, VERANDA, 2, at(evening, '12:00'));
      const small = (await booked(chat)).bookingId;
      await chat.ask(call('createBooking', { restaurantId: VERANDA, partySize: 3, startsAt: at(evening, '18:45') }));
      await expect(chat.form.card).toContainText('hiện đã hết bàn cho 3 người.');
      await expectGoodLooks(chat);
      await chat.form.card.getByRole('button', { name: 'Vào danh sách chờ' }).click();
      await expect(chat.page.locator('[data-receipt="waitlisted"]')).toBeVisible();
      await chat.settled();

      await chat.ask(call('changeBooking', { bookingId: small, startsAt: at(evening, '19:00') }));
      await expect(chat.cards('changeBooking', 'output-error')).toBeVisible();
      await chat.ask(call('changeBooking', { bookingId: small, startsAt: at(evening, '13:00'), partySize: 4 }));
      const form = changeForm(chat);
      // One's own other booking is at seven: before it there is no room beside it, and earlier there is.
      await form.time.fill('18:15');
      await form.confirm.click();
      await expect(form.card.getByRole('button', { name: /^Chọn / }).first()).toBeVisible();
      await expectGoodLooks(chat);
      await form.time.fill('13:00');
      await form.confirm.click();
      await expect(chat.cards('changeBooking', 'output-available')).toHaveCount(1);
      await chat.settled();

      await chat.ask(call('cancelBooking', { bookingId }));
      await expectGoodLooks(chat);
      await chat.cards('cancelBooking').getByRole('button', confirmCancel).click();
      // Whoever waited has the table now: the guest's own other booking.
      await expect(chat.page.locator('[data-receipt="waitlisted"]')).toHaveCount(0);
      await chat.settled();
      await chat.ask(call('listBookings', {}));
      await expect(chat.cards('listBookings').last().getByRole('listitem')).toHaveCount(3);
      await expectGoodLooks(chat);
    });
  });
}
