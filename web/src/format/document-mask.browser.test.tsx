import type { DocType } from '@jangada/contract';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MaskedField } from '../ui/masked-field.tsx';
import { documentMasks } from './document-mask.ts';

/** A masked field for a document, with a button that changes the type of the document to CNPJ. */
function DocumentField({ initialType }: { initialType: DocType }) {
  const [type, setType] = useState(initialType);
  return (
    <>
      <MaskedField label="Documento" mask={documentMasks[type]} />
      <button type="button" onClick={() => setType('CNPJ')}>
        CNPJ
      </button>
    </>
  );
}

/** Inserts the whole text at once, as the browser does for a paste. */
async function paste(text: string) {
  document.execCommand('insertText', false, text);
}

test('a CPF is masked as it is typed, and takes no more than eleven digits', async () => {
  const screen = await render(<DocumentField initialType="CPF" />);
  const field = screen.getByLabelText('Documento');
  await field.click();
  await userEvent.keyboard('1234567890999');
  await expect.element(field).toHaveValue('123.456.789-09');
});

test('a pasted document is masked, whether it contains punctuation or not', async () => {
  const screen = await render(<DocumentField initialType="CPF" />);
  const field = screen.getByLabelText('Documento');
  await field.click();
  await paste(' 123.456.789-09 ');
  await expect.element(field).toHaveValue('123.456.789-09');
  await userEvent.clear(field);
  await field.click();
  await paste('12345678909');
  await expect.element(field).toHaveValue('123.456.789-09');
});

test('a CNPJ takes letters and shows them in capitals', async () => {
  const screen = await render(<DocumentField initialType="CPF" />);
  await screen.getByRole('button', { name: 'CNPJ' }).click();
  const field = screen.getByLabelText('Documento');
  await field.click();
  await userEvent.keyboard('12abc34501de35');
  await expect.element(field).toHaveValue('12.ABC.345/01DE-35');
});
