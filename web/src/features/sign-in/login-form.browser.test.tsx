import { errors, login, profile } from '@jangada/contract';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { user } from '../../testing/samples.ts';
import { stubGateway } from '../../testing/stub-gateway.ts';
import { Toaster } from '../../ui/toast.tsx';
import { LoginForm, type LoginFormProps } from './login-form.tsx';

// Where a test stubs no gateway, every call fails without a message of the server.
const loginForm = (props: Partial<LoginFormProps> = {}) => (
  <LoginForm
    registerPath="/register"
    recoverPath="/recuperar-senha"
    canRecover={false}
    onFormStart={() => {}}
    onSignedIn={() => {}}
    {...props}
  />
);

test('both fields are required', async () => {
  const screen = await render(loginForm());
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Por favor, digite usuário e senha');
  await expect.element(screen.getByLabelText('Usuário')).toHaveFocus();
  await screen.getByLabelText('Usuário').fill('ana');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
});

test('a refusal without a message shows the default text, and the input stays', async () => {
  const onSignedIn = vi.fn();
  const screen = await render(loginForm({ onSignedIn }));
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Usuário ou senha inválidos');
  await expect.element(screen.getByLabelText('Usuário')).toHaveValue('ana');
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveValue('segredo');
  await expect.element(screen.getByRole('button', { name: 'Entrar' })).toBeEnabled();
  expect(onSignedIn).not.toHaveBeenCalled();
});

test('after a server error, at the sign-in or while loading the profile, the message says that the password may be right', async () => {
  const gateway = stubGateway();
  gateway.fail(login);
  const screen = await render(loginForm());
  const submit = async () => {
    await screen.getByLabelText('Usuário').fill('ana');
    await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
    await screen.getByRole('button', { name: 'Entrar' }).click();
  };
  await submit();
  const expectedText = 'Usuário ou senha inválidos. O servidor respondeu com um erro: pode não ser a senha.';
  await expect.element(screen.getByRole('alert')).toHaveTextContent(expectedText);
  gateway.answer(login, { token: 'abc' });
  gateway.fail(profile);
  await submit();
  await expect.poll(() => gateway.calls(profile)).toHaveLength(1);
  await expect.element(screen.getByRole('alert')).toHaveTextContent(expectedText);
  vi.unstubAllGlobals();
});

test('during the sign-in the button shows the progress, keeps the focus and ignores a second press', async () => {
  const fetchMock = vi.fn(() => new Promise(() => {}));
  vi.stubGlobal('fetch', fetchMock);
  const screen = await render(loginForm());
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  const button = screen.getByRole('button', { name: /^Entra(r|ndo)$/ });
  button.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Entrando' })).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-disabled', 'true');
  await expect.poll(() => fetchMock.mock.calls).toHaveLength(1);
  await userEvent.keyboard('{Enter} ');
  expect(fetchMock.mock.calls).toHaveLength(1);
  vi.unstubAllGlobals();
});

test('the reason for signing in again is shown until the form is sent', async () => {
  const reason = 'Não foi possível carregar sua conta. Entre novamente.';
  const screen = await render(loginForm({ reason: { text: reason } }));
  await expect.element(screen.getByRole('alert')).toHaveTextContent(reason);
  await screen.getByRole('button', { name: 'Entrar' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Por favor, digite usuário e senha');
});

test('a user with a frozen account sees the support’s e-mail', async () => {
  const gateway = stubGateway();
  gateway.refuse(login, 'ACCOUNT_FROZEN');
  const screen = await render(loginForm({ supportEmail: 'suporte@gateway.example' }));
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
  const screen = await render(loginForm());
  const password = screen.getByLabelText('Senha', { exact: true });
  await expect.element(password).toHaveAttribute('type', 'password');
  await screen.getByRole('button', { name: 'Mostrar senha' }).click();
  await expect.element(password).toHaveAttribute('type', 'text');
  await screen.getByRole('button', { name: 'Esconder senha' }).click();
  await expect.element(password).toHaveAttribute('type', 'password');
});

/** Fills in the form and sends it, to a gateway that responds with `token`. */
async function signIn(token: string | undefined, onSignedIn = () => {}) {
  vi.stubGlobal('fetch', (url: string) => Response.json(url.endsWith('/login') ? { token } : { user }));
  const screen = await render(loginForm({ onSignedIn }));
  await screen.getByLabelText('Usuário').fill('ana');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  await screen.getByRole('button', { name: 'Entrar', exact: true }).click();
  return screen;
}

test('the app opens at once, below a welcome that is shown for 2 s', async () => {
  const onSignedIn = vi.fn();
  await render(<Toaster />);
  const screen = await signIn('abc', onSignedIn);
  const welcome = screen.getByText('Login realizado com sucesso!').first();
  await expect.element(welcome).toBeInTheDocument();
  expect(onSignedIn).toHaveBeenCalledOnce();
  await expect.poll(() => welcome.elements()).toEqual([]);
  vi.unstubAllGlobals();
});

test('a sign-in whose response has no token is reported', async () => {
  const screen = await signIn(undefined);
  await expect.element(screen.getByText('Login response did not contain a token.')).toBeVisible();
  vi.unstubAllGlobals();
});

test('the registration is linked', async () => {
  const screen = await render(loginForm());
  await expect
    .element(screen.getByRole('link', { name: 'Criar conta' }))
    .toHaveAttribute('href', '/register');
});
