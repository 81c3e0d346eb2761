import { useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Pagination } from './pagination.tsx';

function Pages({ count }: { count: number }) {
  const [current, setCurrent] = useState(1);
  return (
    <Pagination
      page={current}
      pageCount={count}
      onPage={setCurrent}
      summary="Transações 1–10"
      shortSummary="1–10"
    />
  );
}

test('numbers and arrows turn the page, and the arrows are disabled at both ends', async () => {
  await page.viewport(1200, 800);
  const screen = await render(<Pages count={3} />);
  const current = () => screen.container.querySelector('[aria-current="page"]')?.textContent;
  await expect.element(screen.getByRole('button', { name: 'Página anterior' })).toBeDisabled();
  await screen.getByRole('button', { name: 'Próxima página' }).click();
  expect(current()).toBe('2');
  await screen.getByRole('button', { name: 'Página 3' }).click();
  expect(current()).toBe('3');
  await expect.element(screen.getByRole('button', { name: 'Próxima página' })).toBeDisabled();
});

test('a phone shows the short summary and three page numbers', async () => {
  await page.viewport(390, 844);
  const screen = await render(<Pages count={141} />);
  await expect.element(screen.getByText('1–10', { exact: true })).toBeVisible();
  expect(screen.getByRole('button', { name: /^Página \d/ }).elements()).toHaveLength(3);
});
