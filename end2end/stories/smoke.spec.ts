import { expectAccessible } from '../fixtures/accessibility.ts';
import { expect, test } from '../fixtures/page.ts';

test('the page opens, says that a demo model answers, and is ready to type', { tag: '@phone' }, async ({ page }) => {
  const files: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/pkg/')) files.push(`${response.status()} ${pathname}`);
  });

  await page.goto('/');

  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  await expect(page.getByText('Mô hình mẫu', { exact: true })).toBeVisible();
  const composer = page.getByRole('textbox', { name: 'Tin nhắn của bạn' });
  await composer.focus();
  await expect(composer).toBeFocused();
  await composer.pressSequentially('Xin chào');
  await expect(composer).toHaveValue('Xin chào');

  // Each of the site's files is found, and loaded once.
  await expect.poll(() => [...files].sort()).toEqual([
    '200 /pkg/truthtable.css',
    '200 /pkg/truthtable.js',
    '200 /pkg/truthtable.wasm',
  ]);
  await expectAccessible(page);
});
