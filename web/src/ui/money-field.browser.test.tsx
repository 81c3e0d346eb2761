import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MoneyField } from './money-field.tsx';

function Amount({ start = null }: { start?: number | null }) {
  const [cents, setCents] = useState<number | null>(start);
  return (
    <>
      <MoneyField label="Valor" cents={cents} onCents={setCents} />
      <output>{String(cents)}</output>
    </>
  );
}

test('an amount fills from the cents and empties digit by digit', async () => {
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

test('letters are ignored, and digits typed at the wrong place still enter at the end', async () => {
  const screen = await render(<Amount start={150} />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  await userEvent.keyboard('ab5');
  await expect.element(field).toHaveValue('15,05');
  await userEvent.keyboard('{Home}2');
  await expect.element(field).toHaveValue('150,52');
});

test('a pasted amount is read as reais', async () => {
  const screen = await render(<Amount />);
  const field = screen.getByLabelText('Valor');
  await field.click();
  const clipboard = new DataTransfer();
  clipboard.setData('text', 'R$ 1.234,5');
  field
    .element()
    .dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }),
    );
  await expect.element(field).toHaveValue('1.234,50');
});
