import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { PinField } from './pin-field.tsx';
import '../theme/theme.css';

function Page({ error }: { error?: string }) {
  const [pin, setPin] = useState('');
  return <PinField label="PIN de saque" hint="Quatro dígitos." value={pin} onValue={setPin} error={error} />;
}

/** Inserts the whole text at once, as the browser does for a paste. */
async function paste(text: string) {
  document.execCommand('insertText', false, text);
}

test('only four digits are accepted, typed or pasted, and the last is deleted first', async () => {
  const screen = await render(<Page />);
  const field = screen.getByLabelText('PIN de saque', { exact: true });
  await field.click();
  await userEvent.keyboard('4a8-2');
  await expect.element(field).toHaveValue('482');
  await userEvent.keyboard('91');
  await expect.element(field).toHaveValue('4829');
  await userEvent.keyboard('{Home}{Backspace}');
  await expect.element(field).toHaveValue('482');
  await userEvent.clear(field);
  await paste(' 12 34 5 ');
  await expect.element(field).toHaveValue('1234');
});

test('a PIN is masked until the user shows it', async () => {
  const screen = await render(<Page />);
  const field = screen.getByLabelText('PIN de saque', { exact: true });
  await field.fill('4829');
  await expect.element(field).toHaveAttribute('type', 'password');
  expect(screen.container.textContent).not.toContain('4');
  await screen.getByRole('button', { name: 'Mostrar PIN de saque' }).click();
  await expect.element(field).toHaveAttribute('type', 'text');
  expect(screen.container.textContent).toContain('4829');
  await screen.getByRole('button', { name: 'Esconder PIN de saque' }).click();
  await expect.element(field).toHaveAttribute('type', 'password');
});

test('an error is the accessible description of the field', async () => {
  const screen = await render(<Page error="PIN incorreto." />);
  const field = screen.getByLabelText('PIN de saque', { exact: true });
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveAccessibleDescription('PIN incorreto.');
});
