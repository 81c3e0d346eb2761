import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Menu, MenuItem } from './menu.tsx';

let chosenItem = '';
/** The menu of an account, with a text outside it. */
function Account() {
  return (
    <>
      <Menu label="Conta" trigger="MA">
        <MenuItem icon={null} onSelect={() => (chosenItem = 'Perfil')}>
          Perfil
        </MenuItem>
        <MenuItem icon={null} onSelect={() => (chosenItem = 'Sair')}>
          Sair
        </MenuItem>
      </Menu>
      <p>fora</p>
    </>
  );
}

/** The mouse leaves: React hears of it by this event. */
const pointerOut = () =>
  new PointerEvent('pointerout', { pointerType: 'mouse', bubbles: true, relatedTarget: document.body });

test('the menu opens when the mouse enters it and closes when the mouse leaves it', async () => {
  const screen = await render(<Account />);
  await screen.getByRole('button', { name: 'Conta' }).hover();
  await expect.element(screen.getByRole('menuitem', { name: 'Sair' })).toBeVisible();
  await screen.getByRole('menuitem', { name: 'Sair' }).hover();
  await expect.element(screen.getByRole('menuitem', { name: 'Sair' })).toBeVisible();
  await screen.getByText('fora').hover();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
});

test('in a menu that the mouse opened, ArrowDown goes to the first item and ArrowUp to the last', async () => {
  const screen = await render(<Account />);
  const button = screen.getByRole('button', { name: 'Conta' });
  for (const [key, name] of [
    ['ArrowUp', 'Sair'],
    ['ArrowDown', 'Perfil'],
  ] as const) {
    await screen.getByText('fora').hover();
    await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
    button.element().focus();
    await button.hover();
    await expect.element(screen.getByRole('menu')).toBeVisible();
    await userEvent.keyboard(`{${key}}`);
    await expect.element(screen.getByRole('menuitem', { name })).toHaveFocus();
  }
});

test('by keyboard, arrows open the menu and move in it, Enter chooses, and both Enter and Esc return the focus', async () => {
  const screen = await render(<Account />);
  await screen.getByText('fora').hover();
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'Conta' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(screen.getByRole('menuitem', { name: 'Perfil' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(chosenItem).toBe('Sair');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();

  const button = screen.getByRole('button', { name: 'Conta' });
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('menuitem', { name: 'Perfil' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveFocus();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
});

test('a menu that the mouse has just left stays open for the keyboard', async () => {
  const screen = await render(<Account />);
  const button = screen.getByRole('button', { name: 'Conta' });
  button.element().focus();
  await button.hover();
  await expect.element(screen.getByRole('menu')).toBeVisible();
  button.element().parentElement?.dispatchEvent(pointerOut());
  await userEvent.keyboard('{ArrowDown}');
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect.element(screen.getByRole('menuitem', { name: 'Perfil' })).toHaveFocus();
});

test('when the mouse leaves a menu whose item has the focus, the focus returns to the button', async () => {
  const screen = await render(<Account />);
  const button = screen.getByRole('button', { name: 'Conta' });
  button.element().focus();
  await button.hover();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(screen.getByRole('menuitem', { name: 'Perfil' })).toHaveFocus();
  await screen.getByText('fora').hover();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
});

test('a tap opens the menu, and a tap elsewhere closes it', async () => {
  const screen = await render(<Account />);
  const button = screen.getByRole('button', { name: 'Conta' }).element();
  const tap = { pointerType: 'touch', bubbles: true, detail: 1 };
  button.dispatchEvent(new PointerEvent('pointerenter', tap));
  button.dispatchEvent(new MouseEvent('click', tap));
  await expect.element(screen.getByRole('menuitem', { name: 'Sair' })).toBeVisible();
  screen.getByText('fora').element().dispatchEvent(new PointerEvent('pointerdown', tap));
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
});
