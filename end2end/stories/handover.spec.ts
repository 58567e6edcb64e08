import { type Locator } from '@playwright/test';

import { expectAccessible } from '../fixtures/accessibility.ts';
import { type Chat, expect, freshEvening, test } from '../fixtures/chat.ts';
import { VI } from '../fixtures/words.ts';

const CONTACT = { TRUTHTABLE_CONTACT: '1900 1234 · hello@example.com · 24/7' };

/** A turn that breaks off; what the page says of its end. */
async function leftAlone(chat: Chat, url = ''): Promise<Locator> {
  await chat.open(`${url}/?persona=cut`);
  await chat.ask(VI.wish(freshEvening()));
  const ended = chat.page.locator('[data-run-status="interrupted"]');
  await expect(ended).toBeVisible();
  return ended;
}

/** What a guest finds to send the conversation to a person. */
function handover(ended: Locator) {
  return {
    open: ended.getByRole('button', { name: 'Gửi cuộc trò chuyện này cho nhân viên' }),
    replyTo: ended.getByLabel('Số điện thoại hoặc email (không bắt buộc)'),
    note: ended.getByLabel('Bạn cần giúp gì? (không bắt buộc)'),
    send: ended.getByRole('button', { name: 'Gửi cho nhân viên', exact: true }),
    sent: ended.locator('[data-handover]'),
  };
}

test('a turn that broke off is sent to a person, with a reference that survives a reload', async ({ chat }) => {
  const ended = await leftAlone(chat);
  const { open, replyTo, note, send, sent } = handover(ended);
  await expect(replyTo).toBeHidden();
  await expect(open).toHaveAttribute('aria-expanded', 'false');
  await open.click();
  await expect(open).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(chat.page);
  await replyTo.fill('0909 123 456');
  await note.fill('Tôi vẫn cần bàn này');
  await send.click();

  await expect(sent).toContainText('Cuộc trò chuyện này đã vào danh sách cho nhân viên của nhà hàng.');
  const reference = await sent.getAttribute('data-handover');
  expect(reference).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
  await expect(sent).toContainText(reference!);
  await expect(replyTo).toHaveCount(0);
  await expectAccessible(chat.page);

  await chat.page.reload();
  await chat.alive();
  await expect(sent).toHaveAttribute('data-handover', reference!);
  await expect(open).toHaveCount(0);

  // It is about that turn: the next one that breaks off can be sent as well.
  await ended.getByRole('button', { name: 'Hỏi lại' }).click();
  await expect(chat.outcomes).toHaveCount(2);
  await expect(open).toBeVisible();
  await expect(sent).toHaveCount(0);
});

test('what cannot be taken is told at its field, and nothing typed is lost', async ({ chat, watch }) => {
  watch.allow(/status of 422/);
  const { open, replyTo, note, send, sent } = handover(await leftAlone(chat));
  await open.click();
  await replyTo.fill('ở bàn cạnh cửa sổ');
  await note.fill('Xin gọi lại');
  await send.click();

  await expect(replyTo).toHaveAttribute('aria-invalid', 'true');
  await expect(replyTo).toBeFocused();
  await expect(replyTo).toHaveAccessibleDescription(/Giá trị này không đúng định dạng\./);
  await expect(note).toHaveValue('Xin gọi lại');
  await expect(sent).toHaveCount(0);
  await expectAccessible(chat.page);
  await replyTo.fill('lan@example.com');
  await send.click();
  await expect(sent).toBeVisible();
});

test('with the keyboard alone, the place is kept', async ({ chat }) => {
  const ended = await leftAlone(chat);
  const { open, replyTo, note, send } = handover(ended);
  await open.focus();
  await open.press('Enter');
  await open.press('Tab');
  await expect(replyTo).toBeFocused();
  await replyTo.pressSequentially('0909 123 456');
  await replyTo.press('Tab');
  await expect(note).toBeFocused();
  await note.press('Tab');
  await expect(send).toBeFocused();
  await send.press('Enter');
  await expect(ended.locator('.person__sent')).toBeFocused();
  await expect(ended.locator('.person__sent')).toContainText('Mã tham chiếu');
});

test('a server that cannot be reached is told, and sending can be tried again', async ({ chat, watch }) => {
  watch.allow(/ERR_CONNECTION_RESET/);
  const ended = await leftAlone(chat);
  const { open, replyTo, send, sent } = handover(ended);
  await open.click();
  await replyTo.fill('0909 123 456');
  await chat.page.route('**/handovers', (route) => route.abort('connectionreset'), { times: 1 });
  await send.click();
  await expect(ended).toContainText('Không kết nối được với máy chủ.');
  await expect(replyTo).toHaveValue('0909 123 456');
  await send.click();
  await expect(sent).toBeVisible();
});

test("the house's contact can be pressed", async ({ chat, startServer }) => {
  const server = await startServer(CONTACT);
  const ended = await leftAlone(chat, server.url);
  await expect(ended).toContainText('Cần người giúp? Liên hệ với chúng tôi: 1900 1234 · hello@example.com · 24/7');
  await expect(ended.getByRole('link', { name: '1900 1234' })).toHaveAttribute('href', 'tel:19001234');
  await expect(ended.getByRole('link', { name: 'hello@example.com' })).toHaveAttribute(
    'href',
    'mailto:hello@example.com',
  );
});

test.describe('in the dark, on a phone of 360 pixels', () => {
  test.use({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });

  test('the contact and the form fit and are accessible', async ({ chat, startServer }) => {
    const server = await startServer({ TRUTHTABLE_CONTACT: `${'dài'.repeat(40)}, 1900 1234, hello@example.com` });
    const ended = await leftAlone(chat, server.url);
    const { open, replyTo, send, sent } = handover(ended);
    const fits = async () => {
      const wider = await chat.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider, 'pixels that the page is too wide').toBeLessThanOrEqual(0);
      await expectAccessible(chat.page);
    };
    await open.tap();
    await expect(replyTo).toBeVisible();
    await fits();
    await send.tap();
    await expect(sent).toBeVisible();
    await fits();
  });
});
