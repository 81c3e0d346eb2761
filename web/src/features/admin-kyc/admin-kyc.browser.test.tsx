import {
  adminAcceptKyc,
  adminKycPicture,
  adminPendingKyc,
  adminRejectKyc,
  type PendingKyc,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { pendingKyc, pixel } from '../../testing/admin-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminKycPage } from './admin-kyc-page.tsx';

const secondPending: PendingKyc = {
  user: { id: '13', name: 'Ana Lúcia d’Ávila', email: 'ana@example.com' },
  document: { ...pendingKyc.document, createdAt: '2026-11-20T12:00:00.000Z' },
};
const listOf = (items: PendingKyc[], total = items.length) => ({ items, total, page: 1, limit: 20 });

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(adminPendingKyc, listOf([pendingKyc, secondPending]));
  gateway.answerFile(adminKycPicture, pixel());
  gateway.answer(adminAcceptKyc, { success: true });
  gateway.answer(adminRejectKyc, { success: true });
});
afterEach(() => vi.unstubAllGlobals());

const openPage = (address = '/admin/kyc-management') =>
  renderScreen(address, AdminKycPage, { role: 'ADMIN' });
const name = pendingKyc.user.name;

test('a pending account is shown with its document, date and status', async () => {
  const { screen } = await openPage();
  const row = screen.getByRole('table', { name: 'Verificações pendentes' }).getByRole('row').nth(1);
  for (const text of [name, 'severino@example.com', '529.982.247-25', 'CPF', '18/11/2026 09:14', 'Pendente'])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByText('2 pessoas esperam resposta.', { exact: false })).toBeVisible();
});

test('a picture is requested only when it is enlarged, and it can be zoomed and rotated', async () => {
  const { screen, currentUrl } = await openPage();
  await screen.getByRole('button', { name: `Ver ${name}` }).click();
  expect(currentUrl()).toBe('/admin/kyc-management?id=12');
  const dialog = screen.getByRole('dialog', { name });
  await expect.element(dialog.getByText('severino@example.com')).toBeVisible();
  expect(gateway.calls(adminKycPicture)).toHaveLength(0);
  await dialog.getByRole('button', { name: 'Ampliar selfie com o documento' }).click();
  const picture = screen.getByRole('dialog', { name: 'Selfie com o documento' });
  const canvas = picture.getByRole('img', { name: 'Selfie com o documento' });
  await expect.element(canvas).toBeVisible();
  expect(gateway.calls(adminKycPicture)).toHaveLength(1);
  await picture.getByRole('button', { name: 'Aproximar' }).click();
  await expect.element(picture.getByLabelText('Ampliação')).toHaveTextContent('150%');
  await picture.getByRole('button', { name: 'Girar para a direita' }).click();
  await picture.getByRole('button', { name: 'Afastar' }).click();
  await expect.element(picture.getByRole('button', { name: 'Afastar' })).toBeDisabled();
  await expect.element(canvas).toBeVisible();
});

test('an approval names the submission that the administrator saw, and the list is fetched again', async () => {
  const { screen } = await openPage('/admin/kyc-management?id=12');
  gateway.answer(adminPendingKyc, listOf([secondPending]));
  await screen.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click();
  await expect.element(screen.getByText('Verificação aprovada')).toBeVisible();
  await expect.element(screen.getByText('1 pessoa espera resposta', { exact: false })).toBeVisible();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(gateway.calls(adminAcceptKyc)[0]?.body).toEqual({ submission: pendingKyc.document.submission });
});

test('an approval from the list must be confirmed', async () => {
  const { screen } = await openPage();
  await screen.getByRole('button', { name: `Aprovar ${name}` }).click();
  expect(gateway.calls(adminAcceptKyc)).toHaveLength(0);
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Aprovar' }).click();
  await expect.poll(() => gateway.calls(adminAcceptKyc)).toHaveLength(1);
});

test('a rejection needs a reason that is more than blanks, and sends it trimmed', async () => {
  const { screen } = await openPage('/admin/kyc-management?id=12');
  await screen.getByRole('dialog').getByRole('button', { name: 'Rejeitar' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Rejeitar verificação' });
  await dialog.getByLabelText('Motivo da rejeição').fill('   ');
  await dialog.getByRole('button', { name: 'Rejeitar' }).click();
  await expect.element(dialog.getByText('Informe o motivo da rejeição.')).toBeVisible();
  expect(gateway.calls(adminRejectKyc)).toHaveLength(0);
  await dialog.getByLabelText('Motivo da rejeição').fill(' A selfie está escura. ');
  await dialog.getByRole('button', { name: 'Rejeitar' }).click();
  await expect.element(screen.getByText('Verificação rejeitada')).toBeVisible();
  expect(gateway.calls(adminRejectKyc)[0]?.body).toEqual({
    submission: pendingKyc.document.submission,
    reason: 'A selfie está escura.',
  });
});

test('a decision that came too late is reported, and the list is fetched again', async () => {
  gateway.refuse(adminAcceptKyc, 'KYC_DECIDED');
  const { screen } = await openPage('/admin/kyc-management?id=12');
  await expect.element(screen.getByRole('dialog')).toBeVisible();
  gateway.answer(adminPendingKyc, listOf([]));
  await screen.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click();
  await expect
    .element(screen.getByRole('alert'))
    .toHaveTextContent(`${name}: Esta verificação já foi decidida, ou há um envio mais novo.`);
  await expect.element(screen.getByText('Tudo em dia')).toBeVisible();
});

test('a decision that fails shows the error in its dialog', async () => {
  gateway.fail(adminAcceptKyc);
  const { screen } = await openPage('/admin/kyc-management?id=12');
  await screen.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click();
  await expect.element(screen.getByRole('dialog').getByText('Erro ao aprovar verificação')).toBeVisible();
  gateway.fail(adminRejectKyc);
  await screen.getByRole('dialog').getByRole('button', { name: 'Rejeitar' }).click();
  const rejection = screen.getByRole('dialog', { name: 'Rejeitar verificação' });
  await rejection.getByLabelText('Motivo da rejeição').fill('A selfie está escura.');
  await rejection.getByRole('button', { name: 'Rejeitar' }).click();
  await expect.element(rejection.getByText('Erro ao rejeitar verificação')).toBeVisible();
});

test('a failure to load the list is shown and can be retried', async () => {
  gateway.fail(adminPendingKyc);
  const { screen } = await openPage();
  await expect.element(screen.getByText('Erro ao carregar verificações pendentes')).toBeVisible();
  gateway.answer(adminPendingKyc, listOf([secondPending]));
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('ana@example.com')).toBeVisible();
});

test('on a phone the pictures are a carousel in a sheet', async () => {
  await page.viewport(390, 844);
  const { screen } = await openPage('/admin/kyc-management?id=12');
  const pictures = screen.getByRole('list', { name: 'Imagens' });
  await expect.element(pictures).toBeVisible();
  const element = pictures.element();
  expect(element.scrollWidth).toBeGreaterThan(2 * element.clientWidth);
});

test('a failed rejection is shown only in the dialog in front', async () => {
  gateway.fail(adminRejectKyc);
  const { screen } = await openPage('/admin/kyc-management?id=12');
  await screen.getByRole('dialog').getByRole('button', { name: 'Rejeitar' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Rejeitar verificação' });
  await dialog.getByLabelText('Motivo da rejeição').fill('A selfie está escura.');
  await dialog.getByRole('button', { name: 'Rejeitar' }).click();
  await expect.element(dialog.getByText('Erro ao rejeitar verificação')).toBeVisible();
  expect(screen.getByText('Erro ao rejeitar verificação').elements()).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(screen.getByRole('dialog', { name })).toBeVisible();
  expect(screen.getByText('Erro ao rejeitar verificação').elements()).toEqual([]);
});
