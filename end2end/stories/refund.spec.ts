import { expect, test } from '../fixtures/chat.ts';
import { EN, VI } from '../fixtures/words.ts';

for (const { words, locale, latest, refund, amount, shown, order, offer, held, confirm, decline, asked, done, reason } of [
  {
    words: VI,
    locale: 'vi-VN',
    latest: 'Đơn hàng gần nhất của tôi',
    refund: 'Hoàn tiền đơn hàng gần nhất của tôi',
    amount: 'Số tiền hoàn (đồng)',
    shown: /50\.000\s₫/,
    order: /DH-[A-Z0-9]{5}/,
    offer: /^Yêu cầu hoàn tiền/,
    held: 'có thẻ riêng trong cuộc trò chuyện này',
    confirm: 'Xác nhận hoàn tiền',
    decline: 'Không hoàn tiền',
    asked: 'Hoàn tiền đơn này?',
    done: 'Đã hoàn tiền',
    reason: 'Món giao thiếu',
  },
  {
    words: EN,
    locale: 'en-GB',
    latest: 'My latest order',
    refund: 'Refund my latest order',
    amount: 'Amount to refund (đồng)',
    shown: /₫50,000/,
    order: /DH-[A-Z0-9]{5}/,
    offer: /^Ask for a refund/,
    held: 'has a card of its own in this conversation',
    confirm: 'Confirm the refund',
    decline: 'Do not refund',
    asked: 'Refund this order?',
    done: 'Refunded',
    reason: 'A dish was missing',
  },
]) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test(
      'a guest looks at an order, asks for a part of it back, and has a receipt in every tab',
      { tag: locale === 'vi-VN' ? '@phone' : [] },
      async ({ chat }) => {
        await chat.open();
        await chat.ask(latest);
        await expect(chat.cards('getOrder', 'output-available')).toContainText(order);
        await expect(
          chat.cards('getOrder', 'output-available').getByRole('button', { name: offer }),
        ).toBeVisible();

        await chat.say(refund);
        const form = chat.cards('refundOrder', 'approval-requested');
        await expect(form.getByRole('group', { name: asked })).toBeVisible();
        await expect(form).toContainText(order);
        await expect(chat.receipts).toHaveCount(0);
        const field = form.getByRole('textbox', { name: amount });

        // What cannot be a sum is refused at its field, and the form still waits.
        await field.fill('nhiều');
        await form.getByRole('button', { name: confirm }).click();
        await expect(field).toHaveAttribute('aria-invalid', 'true');
        await expect(form).toBeVisible();

        await field.fill('50000');
        await form.getByRole('textbox', { name: words === VI ? 'Lý do' : 'Reason' }).fill(reason);
        await form.getByRole('button', { name: confirm }).click();

        // The order above offers no other one.
        const above = chat.cards('getOrder', 'output-available');
        await expect(above.getByRole('button', { name: offer })).toHaveCount(0);
        await expect(above.filter({ hasText: held }).first()).toBeVisible();

        const receipt = chat.receipts;
        await expect(receipt).toHaveAttribute('data-receipt', 'succeeded');
        await expect(receipt.getByRole('heading', { name: done, exact: true })).toBeVisible();
        await expect(receipt).toContainText(shown);
        await expect(receipt).toContainText(order);
        await expect(receipt).toContainText(/R-[A-HJKMNP-Z2-9]{8}/);
        const second = await chat.anotherTab();
        await expect(second.receipts).toContainText(shown);
        await chat.page.reload();
        await expect(chat.receipts).toContainText(shown);
      },
    );

    test('a guest who declines has no refund and no receipt', async ({ chat }) => {
      await chat.open();
      await chat.say(refund);
      const form = chat.cards('refundOrder', 'approval-requested');
      await form.getByRole('button', { name: decline }).click();
      await expect(chat.cards('refundOrder', 'output-denied')).toBeVisible();
      await expect(chat.receipts).toHaveCount(0);
    });
  });
}

test.describe('in vi-VN, a model that lies', () => {
  test.use({ locale: 'vi-VN' });

  test('a refund that was declined is not on the page, whatever the model says', async ({ chat }) => {
    await chat.open('/?persona=liar');
    await chat.say('Hoàn tiền đơn hàng gần nhất của tôi');
    await chat.cards('refundOrder', 'approval-requested').getByRole('button', { name: 'Không hoàn tiền' }).click();
    await chat.settled();
    await expect(chat.cards('refundOrder', 'output-denied')).toBeVisible();
    await expect(chat.receipts).toHaveCount(0);
  });
});
