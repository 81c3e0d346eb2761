import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Drawer } from './drawer.tsx';
import '../theme/theme.css';

/** A page of the panel with a drawer. The theme recognises such a page by the id `conteudo` of its content. */
function Page() {
  const [open, setOpen] = useState(false);
  return (
    <main id="conteudo">
      <button type="button" onClick={() => setOpen(true)}>
        Abrir menu
      </button>
      <Drawer open={open} onClose={() => setOpen(false)} label="Menu">
        <a href="#inicio">Início</a>
      </Drawer>
    </main>
  );
}

beforeEach(() => page.viewport(280, 600));

test('the drawer covers at most 80 % of the viewport and locks the page behind it', async () => {
  const screen = await render(<Page />);
  await screen.getByRole('button', { name: 'Abrir menu' }).click();
  const drawer = screen.getByRole('dialog', { name: 'Menu' });
  await expect.element(drawer).toBeVisible();
  expect(drawer.element().getBoundingClientRect().width).toBeLessThanOrEqual(280 * 0.8);
  expect(getComputedStyle(document.documentElement).overflow).toBe('hidden');
  await userEvent.keyboard('{Escape}');
  await expect.element(drawer).not.toBeInTheDocument();
});

test('Esc closes the drawer, returns the focus and lets the page scroll again', async () => {
  const screen = await render(<Page />);
  const opener = screen.getByRole('button', { name: 'Abrir menu' });
  await opener.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(opener).toHaveFocus();
  expect(getComputedStyle(document.documentElement).overflow).not.toBe('hidden');
});

test('a tap on the overlay closes the drawer, and a tap inside does not', async () => {
  const screen = await render(<Page />);
  await screen.getByRole('button', { name: 'Abrir menu' }).click();
  const drawer = screen.getByRole('dialog', { name: 'Menu' }).element();
  await screen.getByRole('link', { name: 'Início' }).click();
  expect(drawer.matches(':modal')).toBe(true);
  drawer.dispatchEvent(new MouseEvent('click', { clientX: 270, clientY: 300, bubbles: true }));
  await expect.poll(() => drawer.matches(':modal')).toBe(false);
});

test('the late close event of an earlier closing leaves a reopened drawer open', async () => {
  const screen = await render(<Page />);
  const opener = screen.getByRole('button', { name: 'Abrir menu' });
  const drawer = () => screen.getByRole('dialog', { name: 'Menu' });
  await opener.click();
  await expect.element(drawer()).toBeVisible();
  drawer().element().dispatchEvent(new Event('close'));
  await new Promise(requestAnimationFrame);
  await expect.element(drawer()).toBeVisible();
});
