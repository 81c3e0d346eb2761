import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { TextField } from '../ui/index.ts';
import { focusFirstInvalidField } from './keep-focus.ts';

let stop: () => void;
beforeEach(() => {
  stop = focusFirstInvalidField(document.body);
});
afterEach(() => stop());

function Form() {
  const [error, setError] = useState<string>();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setError('Informe o nome.');
      }}
    >
      <TextField label="E-mail" />
      <TextField label="Nome" error={error} />
      <button type="submit">Salvar</button>
    </form>
  );
}

test('submitting a form focuses its first invalid field, which is described by its error', async () => {
  const screen = await render(<Form />);
  screen.getByRole('button').element().focus();
  await userEvent.keyboard('{Enter}');
  const field = screen.getByLabelText('Nome');
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAccessibleDescription('Informe o nome.');
});
