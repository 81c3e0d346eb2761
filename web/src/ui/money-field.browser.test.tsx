import { centsFromText } from '@jangada/contract';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MoneyField } from './money-field.tsx';

/** A money field, with its cents in an `<output>`, which has the role status. */
function Amount({ initialCents = null }: { initialCents?: number | null }) {
  const [cents, setCents] = useState<number | null>(initialCents);
  return (
    <>
      <MoneyField label="Valor" cents={cents} onCents={setCents} readAmount={centsFromText} />
      <output>{String(cents)}</output>
    </>
  );
}

test('typed digits fill the amount from the cents, and Backspace removes them one by one', async () => {
  const screen = await render(<Amount />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  await userEvent.keyboard('125000');
  await expect.element(field).toHaveValue('1.250,00');
  await expect.element(screen.getByRole('status')).toHaveTextContent('125000');
  await userEvent.keyboard('{Backspace}{Backspace}');
  await expect.element(field).toHaveValue('12,50');
  await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}');
  await expect.element(field).toHaveValue('');
  await expect.element(screen.getByRole('status')).toHaveTextContent('null');
});

test('letters are ignored, and digits typed in the middle still enter at the end', async () => {
  const screen = await render(<Amount initialCents={150} />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  await userEvent.keyboard('ab5');
  await expect.element(field).toHaveValue('15,05');
  await userEvent.keyboard('{Home}2');
  await expect.element(field).toHaveValue('150,52');
});

test.each([
  ['150,5', '150,5', '150,50'],
  ['12.5', '12.5', '12,50'],
  ['12,50', '12,50', '12,50'],
  ['1.250,00', '1.250,00', '1.250,00'],
  ['150,507', '150,50', '150,50'],
  [',5', '0,5', '0,50'],
])('%s, typed with a separator, is an amount in reais', async (typed, textWhileTyping, textAfterLeaving) => {
  const screen = await render(<Amount />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  await userEvent.keyboard(typed);
  await expect.element(field).toHaveValue(textWhileTyping);
  const cents = String(Number(textAfterLeaving.replace(/\D/g, '')));
  await expect.element(screen.getByRole('status')).toHaveTextContent(cents);
  await userEvent.tab();
  await expect.element(field).toHaveValue(textAfterLeaving);
});

test.each([
  ['R$ 20', '20,00'],
  ['r$20', '20,00'],
  ['$ 20', '20,00'],
  ['R$ 1.250,5', '1.250,50'],
])('%s means the same typed and pasted', async (text, shown) => {
  const screen = await render(<Amount />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  await userEvent.keyboard(text);
  await userEvent.tab();
  await expect.element(field).toHaveValue(shown);
  paste(field.element(), text.replace(/^r?\$/i, 'R$'));
  await expect.element(field).toHaveValue(shown);
});

test('deleting the sign R$ leaves an empty field, and so does leaving a field with only the sign', async () => {
  const screen = await render(<Amount />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  await userEvent.keyboard('R$ 2{Backspace}{Backspace}{Backspace}{Backspace}');
  await expect.element(field).toHaveValue('');
  await userEvent.keyboard('R$');
  await userEvent.tab();
  await expect.element(field).toHaveValue('');
  await expect.element(screen.getByRole('status')).toHaveTextContent('null');
});

test('deleting the comma turns the digits back into cents', async () => {
  const screen = await render(<Amount />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  await userEvent.keyboard('150,5{Backspace}{Backspace}');
  await expect.element(field).toHaveValue('1,50');
  await userEvent.keyboard('{Backspace}{Backspace}{Backspace}0{Backspace}');
  await expect.element(field).toHaveValue('');
});

/** Pastes a text into the field, as the browser reports it. */
function paste(field: Element, text: string) {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

test.each([
  ['50', '50,00'],
  ['R$ 1.250,00', '1.250,00'],
  ['R$\u00a01.250,00', '1.250,00'],
  ['25,90', '25,90'],
  ['25.90', '25,90'],
])('a pasted %s is that many reais', async (text, shown) => {
  const screen = await render(<Amount initialCents={700} />);
  const field = screen.getByLabelText('Valor');
  paste(field.element(), text);
  await expect.element(field).toHaveValue(shown);
});

test.each(['Pedido 1042: R$ 25,90', '2x 50,00', '-5', '1e9', '21/11/2026', ''])(
  'pasted %j is not an amount: the field keeps its amount and says what can be pasted',
  async (text) => {
    const screen = await render(<Amount initialCents={700} />);
    const field = screen.getByLabelText('Valor');
    paste(field.element(), text);
    await expect.element(screen.getByText('Cole só o valor, como 25,90.')).toBeVisible();
    await expect.element(field).toHaveValue('7,00');
    await field.click();
    await userEvent.keyboard('5');
    await expect.element(field).toHaveValue('70,05');
    await expect.element(screen.getByText('Cole só o valor, como 25,90.')).not.toBeInTheDocument();
  },
);

test('an amount that is too large for the field is refused with a message, and the previous text stays', async () => {
  const screen = await render(<Amount initialCents={2590} />);
  const field = screen.getByLabelText('Valor');
  for (const typed of ['1.000.000.000,00', '100000000000']) {
    await field.fill(typed);
    await expect
      .element(field)
      .toHaveAccessibleDescription('O maior valor possível aqui é R$ 999.999.999,99.');
    await expect.element(screen.getByRole('status')).toHaveTextContent('2590');
  }
  await field.fill('30,00');
  await expect.element(field).not.toHaveAttribute('aria-invalid');
});
