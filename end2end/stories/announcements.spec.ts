import { expect, freshEvening, test } from '../fixtures/chat.ts';

test('screen readers hear the form, the booking and the answer, and the tab has the conversation’s name', async ({
  chat,
}) => {
  await chat.open();
  await expect(chat.page).toHaveTitle('Truthtable – Trợ lý đặt bàn');
  await expect(chat.announced).toHaveText('');

  const form = await chat.wishFor(freshEvening());
  await expect(chat.announced).toContainText('Xác nhận đặt bàn: Chờ bạn quyết định.');
  await expect(chat.page).toHaveTitle(/^Đặt bàn Mây Núi ở Đà Lạt cho 4 người.*… – Truthtable$/);

  const heard = chat.page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const region = document.querySelector('body > [role=status][aria-live=polite]')!;
        let all = '';
        const listen = () => {
          all += `${region.textContent} `;
          if (all.includes('chi tiết ở thẻ phía trên')) resolve(all);
        };
        new MutationObserver(listen).observe(region, { subtree: true, childList: true, characterData: true });
      }),
  );
  await form.confirm.click();
  expect(await heard).toContain('Đã đặt bàn: Đã xác nhận.');
  expect(await heard).toContain('Bàn đã được đặt; chi tiết ở thẻ phía trên.');
});

test('the page has one level-one heading, named landmarks and messages with their speakers', async ({ chat }) => {
  await chat.open();
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await chat.ask('Thời tiết Đà Lạt hôm nay thế nào?');
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(chat.page.getByRole('main')).toHaveCount(1);
  await expect(chat.page.getByRole('banner')).toHaveCount(1);
  const thread = chat.page.getByRole('list', { name: 'Tin nhắn' });
  await expect(thread.getByRole('heading', { level: 2 })).toHaveText(['Bạn', 'Trợ lý']);
  await expect(thread.getByRole('article', { name: 'Thời tiết · Đà Lạt' })).toHaveCount(1);
});
