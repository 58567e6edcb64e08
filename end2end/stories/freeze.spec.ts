import { rm, writeFile } from 'node:fs/promises';

import { expectAccessible } from '../fixtures/accessibility.ts';
import { expect, freshEvening } from '../fixtures/chat.ts';
import { test } from '../fixtures/model.ts';
import { VI } from '../fixtures/words.ts';

/** Longer than the page's pause between two looks at how the house stands. */
const LOOKED = { timeout: 25_000 };

test('a freeze shows without a reload, the form can then be declined only, and when it is over be confirmed', async ({
  chat,
  startServer,
}, testInfo) => {
  test.slow();
  const freeze = testInfo.outputPath('FREEZE');
  const server = await startServer({ TRUTHTABLE_FREEZE: freeze });
  await chat.open(server.url);
  const form = await chat.wishFor(freshEvening());
  const banner = chat.page.locator('[data-paused]');
  await expect(banner).toHaveCount(0);

  await writeFile(freeze, 'Kiểm kê đến 18:00\nchỉ cho nhân viên\n');
  await expect(banner).toBeVisible(LOOKED);
  await expect(banner).toContainText('Đang tạm ngưng: hiện chưa thể đặt, đổi, huỷ bàn hay hoàn tiền.');
  await expect(banner).toContainText('Kiểm kê đến 18:00');
  await expect(banner).not.toContainText('chỉ cho nhân viên');
  await expect(form.confirm).toBeDisabled();
  await expect(form.decline).toBeEnabled();
  await expect(form.card).toContainText('Đang tạm ngưng nên chưa thể xác nhận');
  await expectAccessible(chat.page);
  // What is typed meanwhile is kept.
  await form.note.fill('Bàn yên tĩnh');
  await form.party.press('Enter');
  await expect(chat.receipts).toHaveCount(0);

  await rm(freeze);
  await expect(banner).toHaveCount(0, LOOKED);
  await expect(form.confirm).toBeEnabled();
  await expect(form.note).toHaveValue('Bàn yên tĩnh');
  await form.confirm.click();
  await expect(chat.receipts).toHaveCount(1);
  await expect(chat.receipts).toContainText('Bàn yên tĩnh');
});

test('a press that comes before the page knows of the freeze is refused in plain words', async ({
  chat,
  startServer,
  watch,
}, testInfo) => {
  watch.allow(/status of 503/);
  const freeze = testInfo.outputPath('FREEZE');
  const server = await startServer({ TRUTHTABLE_FREEZE: freeze });
  await chat.open(server.url);
  const form = await chat.wishFor(freshEvening());
  await writeFile(freeze, '');
  await form.confirm.click();

  await expect(form.card).toContainText('Chưa có gì thay đổi; câu hỏi này vẫn chờ bạn');
  // It looks at once instead of waiting for its turn.
  await expect(chat.page.locator('[data-paused]')).toBeVisible();
  await expect(form.confirm).toBeDisabled();
  await form.decline.click();
  await expect(chat.cards('createBooking', 'output-denied')).toBeVisible();
  await expect(chat.receipts).toHaveCount(0);
});

test('a tab that is seen again looks at once', async ({ chat, startServer }, testInfo) => {
  const freeze = testInfo.outputPath('FREEZE');
  const server = await startServer({ TRUTHTABLE_FREEZE: freeze });
  await chat.open(server.url);
  await chat.turn('hidden');
  await writeFile(freeze, '');
  await chat.turn('visible');
  await expect(chat.page.locator('[data-paused]')).toBeVisible();
});

test('while it is frozen a wish is refused without a form, the assistant says so, and reading goes on', async ({
  chat,
  startServer,
}, testInfo) => {
  const freeze = testInfo.outputPath('FREEZE');
  await writeFile(freeze, '');
  const server = await startServer({ TRUTHTABLE_FREEZE: freeze });
  await chat.open(server.url);
  await expect(chat.page.locator('[data-paused]')).toBeVisible();
  await chat.ask(VI.wish(freshEvening()));

  const card = chat.cards('createBooking', 'output-error');
  await expect(card).toContainText('Chưa có gì được đặt.');
  await expect(card).toContainText('Việc đặt, đổi và huỷ bàn đang tạm ngưng.');
  await expect(card.getByRole('button')).toHaveCount(0);
  await expect(chat.messages.last()).toContainText('tạm ngưng nhận đặt bàn nên chưa đặt gì cả');
  await expect(chat.outcomes).toContainText(VI.nothing);

  await chat.ask('Thời tiết Huế hôm nay thế nào?');
  await expect(chat.cards('getWeather', 'output-available')).toHaveCount(1);
  await expectAccessible(chat.page);
});
