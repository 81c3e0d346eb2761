import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { LoginForm, type LoginFormProps } from './login-form.tsx';

// No gateway answers here: every call fails without a server's message.
const form = (given: Partial<LoginFormProps> = {}) => (
  <LoginForm
    registerPath="/register"
    recoverPath="/recuperar-senha"
    recovers={false}
    onBegun={() => {}}
    onSignedIn={() => {}}
    {...given}
  />
);

test('both fields are required', async () => {
  const screen = await render(form());
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Por favor, digite usuário e senha');
  await expect.element(screen.getByLabelText('Usuário')).toHaveFocus();
  await screen.getByLabelText('Usuário').fill('ana');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
});

test('a refusal without a message says the given text, and what was typed stays', async () => {
  const signedIn = vi.fn();
  const screen = await render(form({ onSignedIn: signedIn }));
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Usuário ou senha inválidos');
  await expect.element(screen.getByLabelText('Usuário')).toHaveValue('ana');
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveValue('segredo');
  await expect.element(screen.getByRole('button', { name: 'Entrar' })).toBeEnabled();
  expect(signedIn).not.toHaveBeenCalled();
});

test('while it enters the button says so', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const screen = await render(form());
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('button', { name: 'Entrando' })).toBeDisabled();
  vi.unstubAllGlobals();
});

test('why one has to sign in again stands there until the form is sent', async () => {
  const reason = 'Não foi possível carregar sua conta. Entre novamente.';
  const screen = await render(form({ reason }));
  await expect.element(screen.getByRole('alert')).toHaveTextContent(reason);
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Por favor, digite usuário e senha');
});

test('the password is shown and hidden', async () => {
  const screen = await render(form());
  const password = screen.getByLabelText('Senha', { exact: true });
  await expect.element(password).toHaveAttribute('type', 'password');
  await screen.getByRole('button', { name: 'Mostrar senha' }).click();
  await expect.element(password).toHaveAttribute('type', 'text');
  await screen.getByRole('button', { name: 'Esconder senha' }).click();
  await expect.element(password).toHaveAttribute('type', 'password');
});
