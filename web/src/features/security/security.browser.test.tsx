import {
  beginTotp,
  cancelClosingRequest,
  cancelEmailChange,
  changeEmail,
  changePassword,
  confirmPassword,
  confirmTotp,
  endOtherSessions,
  endSession,
  exportPersonalData,
  getSecurity,
  listSessions,
  profile,
  removeTotp,
  requestClosing,
  resendEmailLink,
  stepUp,
  stepUpOptions,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { StepUp } from '../../panel/step-up/step-up.tsx';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { user } from '../../testing/samples.ts';
import { otherSession, recoveryCodes, security, session } from '../../testing/security-samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { SecurityPage } from './security-page.tsx';

let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(profile, { user });
  gateway.answer(getSecurity, security);
  gateway.answer(listSessions, { sessions: [session, otherSession] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openSecurity = () =>
  renderScreen('/profile/security', () => (
    <>
      <SecurityPage />
      <StepUp />
    </>
  ));
const withApp = { ...security, totp: true, recovery_codes_left: 8, given: true };
const bodies = (endpoint: Parameters<StubbedGateway['calls']>[0]) =>
  gateway.calls(endpoint).map(({ body }) => body);

test('the authenticator app is turned on by the password and its first code, and the recovery codes are shown once', async () => {
  const written = spyClipboard();
  gateway.refuse(beginTotp, 'PASSWORD_REQUIRED');
  gateway.answer(confirmPassword, () => {
    gateway.answer(beginTotp, { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x', image: 'AAAA' });
    return { success: true as const };
  });
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Ligar' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('certa{Enter}');
  await expect.element(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
  gateway.refuse(confirmTotp, 'SECOND_FACTOR_WRONG');
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Código do aplicativo').fill('111111');
  await dialog.getByRole('button', { name: 'Ligar' }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/O código não confere/);
  gateway.answer(confirmTotp, { recovery_codes: recoveryCodes });
  gateway.answer(getSecurity, withApp);
  await dialog.getByLabelText('Código do aplicativo').fill('123456');
  await dialog.getByRole('button', { name: 'Ligar' }).click();
  await expect.element(screen.getByText(recoveryCodes[0] ?? '', { exact: true })).toBeVisible();
  await screen.getByRole('button', { name: 'Copiar' }).click();
  expect(written).toEqual([`${recoveryCodes.join('\n')}\n`]);
  await screen.getByRole('button', { name: 'Já guardei' }).click();
  await expect.element(screen.getByText(/Restam 8 códigos/)).toBeVisible();
  expect(bodies(confirmTotp)).toEqual([{ code: '111111' }, { code: '123456' }]);
});

test('an action that requires the second factor prompts for a code, and is then carried out', async () => {
  gateway.answer(getSecurity, withApp);
  gateway.refuse(removeTotp, 'STEP_UP_REQUIRED', { methods: ['totp', 'recovery-code'] });
  gateway.answer(stepUpOptions, { methods: ['totp', 'recovery-code'], challenge: null, options: null });
  gateway.refuse(stepUp, 'SECOND_FACTOR_WRONG');
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Desligar' }).click();
  const factorDialog = screen.getByRole('dialog', { name: 'Confirme que é você' });
  await expect.element(factorDialog.getByLabelText('Código do aplicativo autenticador')).toHaveFocus();
  await userEvent.keyboard('000000{Enter}');
  await expect.element(factorDialog.getByRole('alert')).toMatchTextContent(/O código não confere/);
  await factorDialog.getByRole('button', { name: 'Usar um código de recuperação' }).click();
  gateway.answer(stepUp, { token: 'given', expires_in: 300 });
  gateway.answer(removeTotp, { success: true });
  gateway.answer(getSecurity, security);
  await factorDialog.getByLabelText('Código de recuperação').fill('K7QX-M2RD-9T');
  await factorDialog.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(screen.getByText('Aplicativo autenticador desligado')).toBeVisible();
  expect(gateway.calls(removeTotp).map(({ headers }) => headers.get('x-step-up'))).toEqual([null, 'given']);
});

test('a user who does not give the second factor sees why nothing was done', async () => {
  gateway.answer(getSecurity, withApp);
  gateway.refuse(removeTotp, 'STEP_UP_REQUIRED');
  gateway.answer(stepUpOptions, { methods: ['totp'], challenge: null, options: null });
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Desligar' }).click();
  const factorDialog = screen.getByRole('dialog', { name: 'Confirme que é você' });
  await expect.element(factorDialog.getByLabelText('Código do aplicativo autenticador')).toHaveFocus();
  await factorDialog.getByRole('button', { name: 'Fechar' }).click();
  await expect
    .element(screen.getByRole('alertdialog').getByRole('alert'))
    .toHaveTextContent('Confirme com o segundo fator para continuar.');
});

test('a new password is typed twice, and a common one is refused at its field', async () => {
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Trocar senha' }).click();
  const dialog = screen.getByRole('dialog');
  const send = () => dialog.getByRole('button', { name: 'Trocar senha' }).click();
  await send();
  await expect.element(dialog.getByText('Senha atual é obrigatória')).toBeVisible();
  await expect.element(dialog.getByText('A senha deve ter no mínimo 8 caracteres')).toBeVisible();
  await dialog.getByLabelText('Senha atual').fill('antiga');
  await dialog.getByLabelText('Nova senha').fill('password123');
  await dialog.getByLabelText('Confirmar senha').fill('password124');
  await send();
  await expect.element(dialog.getByText('As senhas não coincidem')).toBeVisible();
  await dialog.getByLabelText('Confirmar senha').fill('password123');
  gateway.refuse(changePassword, 'PASSWORD_COMMON');
  await send();
  await expect.element(dialog.getByLabelText('Nova senha')).toHaveAttribute('aria-invalid', 'true');
  await expect.element(dialog.getByText(/comum demais/)).toBeVisible();
  gateway.answer(changePassword, { success: true });
  await send();
  await expect.element(screen.getByText('Senha trocada')).toBeVisible();
  expect(bodies(changePassword).at(-1)).toEqual({
    current_password: 'antiga',
    new_password: 'password123',
  });
});

test('a new e-mail address is pending until its link is opened', async () => {
  gateway.answer(changeEmail, { email: 'nova@example.com', pending: true });
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Trocar e-mail' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Novo e-mail').fill('nova@example.com');
  await dialog.getByLabelText('Senha', { exact: true }).fill('certa');
  gateway.answer(getSecurity, { ...security, pending_email: 'nova@example.com' });
  await dialog.getByRole('button', { name: 'Trocar e-mail' }).click();
  await expect.element(screen.getByText(/Falta confirmar nova@example\.com/)).toBeVisible();
});

test('the confirmation link of a new e-mail can be sent again, and the change cancelled', async () => {
  gateway.answer(getSecurity, { ...security, pending_email: 'nova@example.com' });
  gateway.answer(resendEmailLink, { email: 'nova@example.com' });
  gateway.answer(cancelEmailChange, { success: true });
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Enviar outro link' }).click();
  await expect.poll(() => gateway.calls(resendEmailLink)).toHaveLength(1);
  gateway.answer(getSecurity, security);
  await screen.getByRole('button', { name: 'Desistir da troca' }).click();
  await expect.element(screen.getByText(/Falta confirmar/)).not.toBeInTheDocument();
  expect(gateway.calls(cancelEmailChange)).toHaveLength(1);
});

test('a password that was never changed is not shown as changed', async () => {
  gateway.answer(getSecurity, { ...security, password_changed_at: null });
  const { screen } = await openSecurity();
  await expect.element(screen.getByText(/^Definida em/)).toBeVisible();
  await expect.element(screen.getByText(/^Trocada em/)).not.toBeInTheDocument();
});

test('a new e-mail without a complete domain is refused at its field', async () => {
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Trocar e-mail' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Novo e-mail').fill('x@y');
  await dialog.getByLabelText('Senha', { exact: true }).fill('certa');
  await dialog.getByRole('button', { name: 'Trocar e-mail' }).click();
  await expect.element(dialog.getByText(/Informe o e-mail inteiro/)).toBeVisible();
  expect(gateway.calls(changeEmail)).toHaveLength(0);
});

test('sessions are named by their devices, and can be ended one by one, or all but the current one', async () => {
  gateway.answer(endSession, { success: true });
  gateway.answer(endOtherSessions, { success: true, ended: 1 });
  const { screen } = await openSecurity();
  await expect.element(screen.getByText('Chrome no Windows')).toBeVisible();
  await expect.element(screen.getByText('Esta sessão')).toBeVisible();
  expect(screen.getByRole('button', { name: /Encerrar a sessão/ }).elements()).toHaveLength(1);
  await screen.getByRole('button', { name: 'Encerrar todas as outras' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Encerrar' }).click();
  await expect.element(screen.getByText('Outras sessões encerradas')).toBeVisible();
  gateway.answer(listSessions, { sessions: [session] });
  await screen.getByRole('button', { name: /Encerrar a sessão Safari no iPhone/ }).click();
  await expect.element(screen.getByText('Safari no iPhone')).not.toBeInTheDocument();
  await expect
    .element(screen.getByRole('button', { name: 'Encerrar todas as outras' }))
    .not.toBeInTheDocument();
});

test('the personal data are downloaded after the password; closing the dialog downloads nothing and shows no error', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  gateway.refuse(exportPersonalData, 'PASSWORD_REQUIRED');
  gateway.answer(confirmPassword, () => {
    gateway.answerFile(exportPersonalData, new Blob(['{}']));
    return { success: true as const };
  });
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Baixar meus dados' }).click();
  await screen.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(screen.getByRole('button', { name: 'Baixar meus dados' })).toBeEnabled();
  await screen.getByRole('button', { name: 'Baixar meus dados' }).click();
  await userEvent.keyboard('certa{Enter}');
  await expect.poll(() => saved).toEqual([expect.stringMatching(/^jangada-meus-dados-.*\.json$/)]);
});

test('the closing of the account is requested with the password, and can be withdrawn', async () => {
  gateway.refuse(requestClosing, 'PASSWORD_WRONG');
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Pedir encerramento' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Senha', { exact: true }).fill('errada');
  await dialog.getByRole('button', { name: 'Pedir encerramento' }).click();
  await expect.element(dialog.getByText('Senha incorreta.')).toBeVisible();
  const requested_at = '2026-11-22T12:00:00.000Z';
  gateway.answer(requestClosing, { requested_at });
  gateway.answer(getSecurity, { ...security, closing_requested_at: requested_at });
  await dialog.getByRole('button', { name: 'Pedir encerramento' }).click();
  await expect.element(screen.getByText('Encerramento pedido em 22/11/2026 às 09:00.')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  gateway.answer(cancelClosingRequest, () => {
    gateway.answer(getSecurity, security);
    return { success: true as const };
  });
  await screen.getByRole('button', { name: 'Desistir do encerramento' }).click();
  await expect.element(screen.getByRole('button', { name: 'Pedir encerramento' })).toBeVisible();
});

test('a user whose role requires a second factor sees a notice', async () => {
  gateway.answer(getSecurity, { ...security, demanded: true });
  const { screen } = await openSecurity();
  await expect.element(screen.getByText('Seu papel exige um segundo fator.')).toBeVisible();
});

test('a staff session opened with the password alone gains access by the second factor', async () => {
  gateway.answer(getSecurity, { ...withApp, demanded: true, given: false });
  gateway.answer(stepUpOptions, { methods: ['totp'], challenge: null, options: null });
  gateway.answer(stepUp, () => {
    gateway.answer(getSecurity, { ...withApp, demanded: true });
    return { token: 'given', expires_in: 300 };
  });
  const { screen } = await openSecurity();
  await screen.getByRole('button', { name: 'Confirmar agora' }).click();
  await expect.element(screen.getByLabelText('Código do aplicativo autenticador')).toHaveFocus();
  await userEvent.keyboard('123456{Enter}');
  await expect.element(screen.getByText('Falta o segundo fator.')).not.toBeInTheDocument();
});

// This test is the last, because a call that the provider lacks is not made again.
test('a failed load can be retried, and a provider without these settings is reported', async () => {
  gateway.refuse(getSecurity, 'UNAVAILABLE');
  const { screen } = await openSecurity();
  await expect.element(screen.getByText('Não foi possível carregar a segurança da conta')).toBeVisible();
  gateway.answer(getSecurity, security);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('Aplicativo autenticador')).toBeVisible();
  await screen.unmount();
  gateway.refuse(getSecurity, 'METHOD_NOT_ALLOWED');
  const specificationOnly = await openSecurity();
  await expect.element(specificationOnly.screen.getByText('Segurança indisponível')).toBeVisible();
});
