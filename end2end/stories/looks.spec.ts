import { type Chat, expect, freshEvening } from '../fixtures/chat.ts';
import { expectGoodLooks, expectNoSidewaysScroll } from '../fixtures/looks.ts';
import { test } from '../fixtures/model.ts';
import { VI } from '../fixtures/words.ts';

/** Through all that a guest meets, with a look at each. */
async function lookAtEverything(chat: Chat): Promise<void> {
  await chat.open();
  await expectGoodLooks(chat);

  await chat.ask('So sánh thời tiết TP. Hồ Chí Minh và Đà Nẵng 7 ngày tới');
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(2);
  await expectGoodLooks(chat);

  await chat.ask('Tìm bàn ở Đà Lạt cho 2 người lúc 7 giờ tối thứ bảy');
  await expect(chat.cards('findTables', 'output-available')).toHaveCount(1);
  await expectGoodLooks(chat);

  const form = await chat.wishFor(freshEvening());
  await expectGoodLooks(chat);
  await form.party.fill('21');
  await form.time.fill('');
  await form.confirm.click();
  await expect(form.time).toHaveAttribute('aria-invalid', 'true');
  await expectGoodLooks(chat);

  await form.time.fill('20:30');
  await form.party.fill('3');
  await form.note.fill(`Một lời nhắn dài ${'không có chỗ ngắt'.replaceAll(' ', '')} ${'rất dài '.repeat(20)}`.trim());
  await form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await chat.settled();
  await expectGoodLooks(chat);

  // Each kind of failure: declined, refused, superseded.
  await chat.wishFor(freshEvening());
  await chat.declineForm();
  await expect(chat.cards('createBooking', 'output-denied')).toHaveCount(1);
  await chat.ask('đổi sang 23 giờ');
  await expect(chat.cards('createBooking', 'output-error')).toHaveCount(1);
  await chat.wishFor(freshEvening());
  await chat.ask('Thời tiết ở Paris ngày mai thế nào?');
  await expect(chat.cards('createBooking', 'output-cancelled')).toHaveCount(1);
  await expect(chat.cards('getWeather', 'output-error')).toHaveCount(1);
  await expectGoodLooks(chat);
}

const narrow = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

// Colours do not depend on the width, nor the width on colours: two of the four pairs show everything.
for (const [name, options] of [
  ['light, at a desk', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['dark, on a phone of 360 pixels', { ...narrow, colorScheme: 'dark' }],
] as const) {
  test.describe(name, () => {
    test.use(options);

    test('every state of the page is accessible and fits its width', async ({ chat }) => {
      test.slow();
      await lookAtEverything(chat);
    });

    test('a turn that breaks off, an unknown tool and long text are accessible and fit', async ({
      chat,
      scriptModel,
      startServer,
    }) => {
      const model = await scriptModel(
        {
          blocks: [
            { text: `Dài${'quá'.repeat(150)} ${'lời '.repeat(80)}` },
            { call: 'x'.repeat(60), input: { a: 'b'.repeat(300) } },
          ],
        },
        { blocks: [{ text: 'Tôi đang' }, { call: 'createBooking', input: { restaurantId: 'dl-may-nui' } }], cut: true },
      );
      const server = await startServer(model);
      await chat.open(server.url);
      const long = `Một câu ${'rấtdài'.repeat(40)}`;
      await chat.composer.fill(long);
      await expectNoSidewaysScroll(chat.page);
      await chat.ask(long);
      await expect(chat.page.locator('[data-run-status="interrupted"]')).toBeVisible();
      await expect(chat.cards('createBooking', 'output-cancelled')).toHaveCount(1);
      await expectGoodLooks(chat);
    });
  });
}

test.describe('on a phone of 360 pixels', () => {
  test.use(narrow);

  test('the conversations open over the page and close again', async ({ chat }) => {
    await chat.open();
    await chat.ask('Xin chào');
    const list = chat.page.getByRole('navigation', { name: 'Các cuộc trò chuyện' });
    await expect(list).toBeHidden();
    await chat.page.getByRole('button', { name: 'Các cuộc trò chuyện' }).tap();
    await expect(list).toBeVisible();
    await expect(list.getByRole('link', { name: 'Xin chào' })).toBeVisible();
    await expectGoodLooks(chat);
    await list.getByRole('button', { name: 'Đóng' }).tap();
    await expect(list).toBeHidden();
  });

  test('every control is big enough for a finger', async ({ chat }) => {
    await chat.open();
    await chat.ask('Tìm bàn ở Đà Lạt cho 2 người lúc 7 giờ tối thứ bảy');
    await chat.wishFor(freshEvening());
    const small = await chat.page.locator('button:visible, input:visible').evaluateAll((controls) =>
      controls
        .map((it) => ({ it: it.outerHTML.slice(0, 80), box: it.getBoundingClientRect() }))
        .filter(({ box }) => box.width < 24 || box.height < 40)
        .map(({ it, box }) => `${it}: ${box.width} x ${box.height}`),
    );
    expect(small).toEqual([]);
  });
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('nothing moves for long', async ({ chat, startServer }) => {
    const server = await startServer({ TRUTHTABLE_DEMO_PACE: '1' });
    await chat.open(server.url);
    await chat.say(VI.wish(freshEvening()));
    await chat.page.locator('.run__working').waitFor();
    const longest = await chat.page.evaluate(() =>
      Math.max(0, ...document.getAnimations().map((it) => Number(it.effect?.getComputedTiming().endTime ?? 0))),
    );
    expect(longest, 'milliseconds').toBeLessThanOrEqual(10);
  });
});
