import { publicSettings } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { KycVerificationPage } from './kyc-verification-page.tsx';

let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
});
afterEach(() => vi.unstubAllGlobals());

const open = (approved: boolean) => renderScreen('/kyc-verification', KycVerificationPage, { approved });

test('an account that waits sees its status, whom to speak to, and the way back', async () => {
  const { screen } = await open(false);
  await expect.element(screen.getByText('Pendente', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Aguardando verificação')).toBeVisible();
  await expect
    .element(screen.getByText('Fale com quem administra este gateway.', { exact: false }))
    .toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Voltar ao início' }))
    .toHaveAttribute('href', '/dashboard');
});

test('where the gateway names an address, the documents go there', async () => {
  gateway.answer(publicSettings, { ...settings, adminEmail: 'contas@loja.test' });
  const { screen } = await open(false);
  await expect
    .element(screen.getByRole('link', { name: 'contas@loja.test' }))
    .toHaveAttribute('href', 'mailto:contas@loja.test');
});

test('an approved account is told that nothing is missing', async () => {
  const { screen } = await open(true);
  await expect.element(screen.getByText('Conta aprovada')).toBeVisible();
  await expect.element(screen.getByText('Pendente', { exact: true })).not.toBeInTheDocument();
});
