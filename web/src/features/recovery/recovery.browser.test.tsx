import {
  checkEmailLink,
  checkResetLink,
  confirmEmail,
  profile,
  publicSettings,
  recoverPassword,
  resetPassword,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession } from '../../session/session.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { ConfirmEmailPage } from './confirm-email-page.tsx';
import { RecoverPasswordPage } from './recover-password-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';

const TOKEN = '1ysXIk7mCqjTpVnSGKMh9fz2mQ0o8Jx5W4dLrVtE3aY';
let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(publicSettings, { ...settings, mailbox: true });
  gateway.answer(profile, { user });
  gateway.answer(checkResetLink, { success: true });
  gateway.answer(checkEmailLink, { success: true });
});
afterEach(() => vi.unstubAllGlobals());

test('a link is requested by e-mail, and the screen does not reveal whether the address is known', async () => {
  gateway.answer(recoverPassword, { success: true });
  const { screen } = await renderScreen('/recuperar-senha', RecoverPasswordPage);
  await screen.getByRole('button', { name: 'Enviar link' }).click();
  await expect.element(screen.getByText('Email é obrigatório')).toBeVisible();
  await screen.getByLabelText('E-mail').fill('marina@example.com');
  await screen.getByRole('button', { name: 'Enviar link' }).click();
  await expect.element(screen.getByText(/Se houver uma conta com este endereço/)).toBeVisible();
  await expect.element(screen.getByRole('heading', { name: 'Confira seu e-mail' })).toHaveFocus();
  await expect
    .element(screen.getByRole('link', { name: 'abra a caixa do sandbox' }))
    .toHaveAttribute('href', '/mailbox');
});

test('a gateway that sends no e-mail says whom to contact', async () => {
  gateway.refuse(recoverPassword, 'RECOVERY_OFF');
  const { screen } = await renderScreen('/recuperar-senha', RecoverPasswordPage);
  await screen.getByLabelText('E-mail').fill('marina@example.com');
  await screen.getByRole('button', { name: 'Enviar link' }).click();
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/peça ao suporte/);
});

test('the link sets a new password, typed twice', async () => {
  gateway.refuse(resetPassword, 'PASSWORD_COMMON');
  const { screen } = await renderScreen(`/redefinir-senha?token=${TOKEN}`, ResetPasswordPage);
  const send = () => screen.getByRole('button', { name: 'Trocar senha' }).click();
  await screen.getByLabelText('Nova senha').fill('curta');
  await send();
  await expect.element(screen.getByText('A senha deve ter no mínimo 8 caracteres')).toBeVisible();
  await expect.element(screen.getByLabelText('Nova senha')).toHaveFocus();
  await screen.getByLabelText('Nova senha').fill('password123');
  await screen.getByLabelText('Confirmar senha').fill('password123');
  await send();
  await expect.element(screen.getByText(/comum demais/)).toBeVisible();
  gateway.answer(resetPassword, { success: true });
  await send();
  await expect.element(screen.getByRole('heading', { name: 'Senha trocada' })).toHaveFocus();
  expect(gateway.calls(resetPassword).at(-1)?.body).toEqual({ token: TOKEN, password: 'password123' });
});

test('a used link is reported as it opens, with a link to request another', async () => {
  gateway.refuse(checkResetLink, 'LINK_EXPIRED');
  const { screen } = await renderScreen(`/redefinir-senha?token=${TOKEN}`, ResetPasswordPage);
  await expect
    .element(screen.getByRole('alert'))
    .toMatchTextContent(/Este link já foi usado ou não vale mais/);
  await expect
    .element(screen.getByRole('link', { name: 'Pedir outro link' }))
    .toHaveAttribute('href', '/recuperar-senha');
  await expect.element(screen.getByLabelText('Nova senha')).not.toBeInTheDocument();
  expect(gateway.calls(checkResetLink)[0]?.body).toEqual({ token: TOKEN });
});

test('when the check of the link fails, the form is shown all the same', async () => {
  gateway.fail(checkResetLink);
  const { screen } = await renderScreen(`/redefinir-senha?token=${TOKEN}`, ResetPasswordPage);
  await expect.element(screen.getByLabelText('Nova senha')).toBeVisible();
});

test('a link that expires while it is open, or is incomplete, offers to request another', async () => {
  gateway.refuse(resetPassword, 'LINK_EXPIRED');
  const { screen } = await renderScreen(`/redefinir-senha?token=${TOKEN}`, ResetPasswordPage);
  await screen.getByLabelText('Nova senha').fill('uma boa senha');
  await screen.getByLabelText('Confirmar senha').fill('uma boa senha');
  await screen.getByRole('button', { name: 'Trocar senha' }).click();
  await expect
    .element(screen.getByRole('link', { name: 'Pedir outro link' }))
    .toHaveAttribute('href', '/recuperar-senha');
  await screen.unmount();
  const withoutToken = await renderScreen('/redefinir-senha', ResetPasswordPage);
  await expect.element(withoutToken.screen.getByText('Link inválido')).toBeVisible();
});

test('a new e-mail is confirmed by a button, not by opening the link', async () => {
  gateway.answer(confirmEmail, { email: 'nova@example.com' });
  const { screen } = await renderScreen(`/confirmar-email?token=${TOKEN}`, ConfirmEmailPage);
  await expect.element(screen.getByRole('button', { name: 'Confirmar e-mail' })).toBeVisible();
  expect(gateway.calls(confirmEmail)).toHaveLength(0);
  await screen.getByRole('button', { name: 'Confirmar e-mail' }).click();
  await expect.element(screen.getByText('nova@example.com')).toBeVisible();
  await expect.element(screen.getByRole('heading', { name: 'E-mail confirmado' })).toHaveFocus();
  expect(gateway.calls(confirmEmail).map(({ body }) => body)).toEqual([{ token: TOKEN }]);
});

test('an expired confirmation link is reported as it opens, with a link to the security page', async () => {
  gateway.refuse(checkEmailLink, 'LINK_EXPIRED');
  const url = `/confirmar-email?token=${TOKEN}`;
  const { screen } = await renderScreen(url, ConfirmEmailPage);
  await expect
    .element(screen.getByRole('alert'))
    .toMatchTextContent(/Este link já foi usado ou não vale mais/);
  await expect
    .element(screen.getByRole('link', { name: 'Abrir a segurança da conta' }))
    .toHaveAttribute('href', '/profile/security');
  expect(screen.getByRole('button', { name: 'Confirmar e-mail' }).elements()).toEqual([]);
  expect(gateway.calls(checkEmailLink).map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  endSession('sign-out');
  await expect
    .element(screen.getByRole('link', { name: 'Entrar' }))
    .toHaveAttribute('href', '/login?from=%2Fprofile%2Fsecurity');
});

test('a confirmation link that expires while it is open is reported, and one whose check failed can still be confirmed', async () => {
  gateway.fail(checkEmailLink);
  gateway.refuse(confirmEmail, 'LINK_EXPIRED');
  const { screen } = await renderScreen(`/confirmar-email?token=${TOKEN}`, ConfirmEmailPage);
  await screen.getByRole('button', { name: 'Confirmar e-mail' }).click();
  await expect.element(screen.getByText('Link inválido')).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Abrir a segurança da conta' })).toBeVisible();
});
