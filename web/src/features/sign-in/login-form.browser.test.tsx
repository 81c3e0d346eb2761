import { errors, login, profile } from '@jangada/contract';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { user } from '../../testing/samples.ts';
import { stubGateway } from '../../testing/stub-gateway.ts';
import { Toaster } from '../../ui/toast.tsx';
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

test('a server that broke, at the sign-in or at the profile behind it, says that it may not be the password', async () => {
  const gateway = stubGateway();
  gateway.fail(login);
  const screen = await render(form());
  const enter = async () => {
    await screen.getByLabelText('Usuário').fill('ana');
    await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
    await screen.getByRole('button', { name: 'Entrar' }).click();
  };
  await enter();
  const told = 'Usuário ou senha inválidos. O servidor respondeu com um erro: pode não ser a senha.';
  await expect.element(screen.getByRole('alert')).toHaveTextContent(told);
  gateway.answer(login, { token: 'abc' });
  gateway.fail(profile);
  await enter();
  await expect.poll(() => gateway.calls(profile)).toHaveLength(1);
  await expect.element(screen.getByRole('alert')).toHaveTextContent(told);
  vi.unstubAllGlobals();
});

test('while it enters the button says so, keeps the focus and takes no second press', async () => {
  const fetched = vi.fn(() => new Promise(() => {}));
  vi.stubGlobal('fetch', fetched);
  const screen = await render(form());
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  const button = screen.getByRole('button', { name: /^Entra(r|ndo)$/ });
  button.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Entrando' })).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await expect.poll(() => fetched.mock.calls).toHaveLength(1);
  await userEvent.keyboard('{Enter} ');
  expect(fetched.mock.calls).toHaveLength(1);
  vi.unstubAllGlobals();
});

test('why one has to sign in again stands there until the form is sent', async () => {
  const reason = 'Não foi possível carregar sua conta. Entre novamente.';
  const screen = await render(form({ reason: { text: reason } }));
  await expect.element(screen.getByRole('alert')).toHaveTextContent(reason);
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Por favor, digite usuário e senha');
});

test('whoever is refused because the account is frozen is told whom to write to', async () => {
  const gateway = stubGateway();
  gateway.refuse(login, 'ACCOUNT_FROZEN');
  const screen = await render(form({ supportEmail: 'suporte@gateway.example' }));
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  await screen.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect
    .element(screen.getByRole('alert').getByRole('link', { name: 'suporte@gateway.example' }))
    .toHaveAttribute('href', 'mailto:suporte@gateway.example');
  gateway.refuse(login, 'INVALID_CREDENTIALS');
  await screen.getByRole('button', { name: 'Entrar', exact: true }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent(errors.INVALID_CREDENTIALS.message);
  expect(screen.getByRole('link', { name: 'suporte@gateway.example' }).elements()).toEqual([]);
  vi.unstubAllGlobals();
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

/** Fills it in and sends it; the gateway answers with `token`. */
async function enter(token: string | undefined, onSignedIn = () => {}) {
  vi.stubGlobal('fetch', (address: string) =>
    Response.json(address.endsWith('/login') ? { token } : { user }),
  );
  const screen = await render(form({ onSignedIn }));
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  await screen.getByRole('button', { name: 'Entrar', exact: true }).click();
  return screen;
}

test('who has signed in is welcomed for 2 s, and then goes on', async () => {
  const timers = vi.spyOn(window, 'setTimeout');
  const signedIn = vi.fn();
  await render(<Toaster />);
  const screen = await enter('abc', signedIn);
  await expect.element(screen.getByText('Login realizado com sucesso!').first()).toBeInTheDocument();
  expect(timers.mock.calls.filter(([handler]) => handler === signedIn)).toEqual([[signedIn, 2000]]);
  await expect.poll(() => signedIn.mock.calls).toHaveLength(1);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a sign-in that is answered without a token says so', async () => {
  const screen = await enter(undefined);
  await expect.element(screen.getByText('Login response did not contain a token.')).toBeVisible();
  vi.unstubAllGlobals();
});

test('the way to a new account is a link', async () => {
  const screen = await render(form());
  await expect
    .element(screen.getByRole('link', { name: 'Criar conta' }))
    .toHaveAttribute('href', '/register');
});
