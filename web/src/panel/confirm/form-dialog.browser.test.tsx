import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../theme/theme.css';
import { TextField } from '../../ui/index.ts';
import { FormDialog } from './form-dialog.tsx';

function Page({ submit }: { submit: () => Promise<boolean> }) {
  const [open, setOpen] = useState(true);
  if (!open) return null;
  return (
    <FormDialog
      title="Cancelar cobrança"
      submit="Cancelar cobrança"
      failure="Não foi possível cancelar."
      onClose={() => setOpen(false)}
      onSubmit={submit}
    >
      <TextField label="Motivo" name="reason" />
    </FormDialog>
  );
}

/** Renders a form whose calls stay pending until the test settles them. */
async function renderForm() {
  const pendingCalls: PromiseWithResolvers<boolean>[] = [];
  const submit = vi.fn(() => {
    const pendingCall = Promise.withResolvers<boolean>();
    pendingCalls.push(pendingCall);
    return pendingCall.promise;
  });
  return { screen: await render(<Page submit={submit} />), submit, pendingCalls };
}

test('while a form is being sent, its button says so and the focus stays, and it is neither sent twice nor closed', async () => {
  const { screen, submit, pendingCalls } = await renderForm();
  const button = screen.getByRole('button', { name: /^(Cancelar cobrança|Enviando)$/ });
  await screen.getByLabelText('Motivo').click();
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Enviando' })).toBeVisible();
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button).toHaveAttribute('aria-busy', 'true');
  await expect.element(screen.getByLabelText('Motivo')).toHaveFocus();
  button.element().focus();
  await userEvent.keyboard('{Enter} ');
  for (const detail of [1, 2])
    button.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }));
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveFocus();
  await expect.element(screen.getByRole('button', { name: 'Cancelar', exact: true })).toBeDisabled();
  expect(submit).toHaveBeenCalledOnce();
  pendingCalls[0]?.resolve(true);
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
});

test('a form whose call failed shows the reason, and can be sent again', async () => {
  const { screen, submit, pendingCalls } = await renderForm();
  const button = screen.getByRole('button', { name: 'Cancelar cobrança' });
  await button.click();
  pendingCalls[0]?.reject(new Error('lost'));
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Não foi possível cancelar.');
  await button.click();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
  expect(submit).toHaveBeenCalledTimes(2);
});
