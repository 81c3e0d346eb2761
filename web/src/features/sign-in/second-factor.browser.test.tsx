import { login, passkeyLogin, passkeyLoginOptions, profile, secondFactorLogin } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import '../../theme/theme.css';
import { endSession, session } from '../../session/session.ts';
import { user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { LoginForm } from './login-form.tsx';

let gateway: StubbedGateway;
beforeEach(() => {
  endSession('sign-out');
  gateway = stubGateway();
  gateway.answer(profile, { user });
  gateway.refuse(login, 'SECOND_FACTOR_REQUIRED', {
    challenge: 'c1',
    methods: ['totp', 'passkey', 'recovery-code'],
    passkey: { challenge: 'AAAA', rpId: 'localhost' },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function openLogin() {
  return await render(
    <LoginForm
      registerPath="/register"
      recoverPath="/recuperar-senha"
      canRecover
      onFormStart={() => {}}
      onSignedIn={() => {}}
    />,
  );
}
async function enterPassword() {
  const screen = await openLogin();
  await screen.getByLabelText('Usuário').fill('lojista');
  await screen.getByLabelText('Senha', { exact: true }).fill('segredo');
  await screen.getByRole('button', { name: 'Entrar', exact: true }).click();
  return screen;
}

/** Stubs the browser's authenticator: it signs every challenge. */
function stubAuthenticator() {
  const bytes = new Uint8Array([1, 2, 3]).buffer;
  vi.spyOn(navigator.credentials, 'get').mockResolvedValue(
    // A PublicKeyCredential cannot be made by a script; these are the parts that are read.
    {
      id: 'key',
      rawId: bytes,
      type: 'public-key',
      response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes },
      getClientExtensionResults: () => ({}),
    } as unknown as Credential,
  );
}

test('after the password the second factor is requested, and a wrong code stays on that step', async () => {
  const screen = await enterPassword();
  await expect.element(screen.getByLabelText('Código do aplicativo autenticador')).toHaveFocus();
  gateway.refuse(secondFactorLogin, 'SECOND_FACTOR_WRONG');
  await userEvent.keyboard('000000{Enter}');
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/O código não confere/);
  gateway.answer(secondFactorLogin, { token: 't' });
  await screen.getByLabelText('Código do aplicativo autenticador').fill('123456');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => session.getState().status).toBe('authenticated');
  expect(gateway.calls(secondFactorLogin).map(({ body }) => body)).toEqual([
    { challenge: 'c1', code: '000000' },
    { challenge: 'c1', code: '123456' },
  ]);
});

test('an expired challenge returns to the password, and says why', async () => {
  gateway.refuse(secondFactorLogin, 'CHALLENGE_EXPIRED');
  const screen = await enterPassword();
  await expect.element(screen.getByLabelText('Código do aplicativo autenticador')).toHaveFocus();
  await userEvent.keyboard('123456{Enter}');
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Comece de novo\./);
  await expect.element(screen.getByLabelText('Usuário')).toBeVisible();
});

test('a passkey is accepted as the second factor too', async () => {
  stubAuthenticator();
  gateway.answer(secondFactorLogin, { token: 't' });
  const screen = await enterPassword();
  await screen.getByRole('button', { name: 'Usar chave de acesso' }).click();
  await expect.poll(() => gateway.calls(secondFactorLogin)).toHaveLength(1);
  expect(gateway.calls(secondFactorLogin)[0]?.body).toMatchObject({
    challenge: 'c1',
    credential: { id: 'key', response: { signature: 'AQID' } },
  });
});

test('a passkey alone signs in, and the password can still be used without one', async () => {
  gateway.answer(passkeyLoginOptions, { challenge: 'c2', options: { challenge: 'AAAA', rpId: 'localhost' } });
  gateway.answer(passkeyLogin, { token: 't' });
  const refused = new DOMException('The operation was not allowed.', 'NotAllowedError');
  vi.spyOn(navigator.credentials, 'get').mockRejectedValue(refused);
  const screen = await openLogin();
  await screen.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toMatchTextContent(/A chave de acesso não foi confirmada\./);
  expect(gateway.calls(passkeyLogin)).toHaveLength(0);
  stubAuthenticator();
  await screen.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await expect.poll(() => session.getState().status).toBe('authenticated');
  expect(gateway.calls(passkeyLogin)[0]?.body).toMatchObject({ challenge: 'c2', credential: { id: 'key' } });
});

test('with a provider without passkeys the button disappears without a message', async () => {
  gateway.refuse(passkeyLoginOptions, 'METHOD_NOT_ALLOWED');
  const screen = await openLogin();
  await screen.getByRole('button', { name: 'Entrar com chave de acesso' }).click();
  await expect
    .element(screen.getByRole('button', { name: 'Entrar com chave de acesso' }))
    .not.toBeInTheDocument();
  await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
});
