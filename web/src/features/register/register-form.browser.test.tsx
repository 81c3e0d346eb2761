import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { RegisterForm } from './register-form.tsx';

// No gateway answers here: every call fails without a server's message.
const open = () => render(<RegisterForm loginPath="/login" onSending={() => {}} onSignedIn={() => {}} />);

test('each problem stands under its field, tied to it, and the first one gets the focus', async () => {
  const screen = await open();
  await screen.getByRole('button', { name: 'Criar conta' }).click();
  const username = screen.getByLabelText('Nome de usuário');
  await expect.element(username).toHaveFocus();
  await expect.element(username).toHaveAccessibleDescription('Nome de usuário é obrigatório');
  await expect.element(username).toHaveAttribute('aria-invalid', 'true');
  await expect
    .element(screen.getByRole('textbox', { name: 'CPF' }))
    .toHaveAccessibleDescription('CPF é obrigatório');
});

test('changing the type of document clears it', async () => {
  const screen = await open();
  await screen.getByRole('textbox', { name: 'CPF' }).fill('12345678909');
  await screen.getByText('CNPJ').click();
  await expect.element(screen.getByRole('textbox', { name: 'CNPJ' })).toHaveValue('');
});

test('a failure opens its dialog; behind it everything typed is still there', async () => {
  const screen = await open();
  await screen.getByLabelText('Nome de usuário').fill('ana');
  await screen.getByLabelText('Nome completo').fill('Ana Lima');
  await screen.getByLabelText('Email').fill('ana@loja.test');
  await screen.getByRole('textbox', { name: 'CPF' }).fill('12345678909');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo-da-ana');
  await screen.getByLabelText('Confirmar senha', { exact: true }).fill('segredo-da-ana');
  await screen.getByRole('button', { name: 'Criar conta' }).click();
  const dialog = screen.getByRole('alertdialog', { name: 'Erro no Registro' });
  await expect
    .element(dialog.getByText('Ocorreu um erro inesperado. Tente novamente mais tarde.'))
    .toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(screen.getByRole('textbox', { name: 'CPF' })).toHaveValue('123.456.789-09');
  await expect.element(screen.getByLabelText('Email')).toHaveValue('ana@loja.test');
});
