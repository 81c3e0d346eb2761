import {
  checkWithdrawalPin,
  getWalletStats,
  outFees,
  profile,
  publicSettings,
  withdraw,
} from '@jangada/contract';
import { useState } from 'react';
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { profileQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { WithdrawalsPage } from '../features/withdrawals/withdrawals-page.tsx';
import { renderScreen } from './render-screen.tsx';
import { settings, user, walletOf } from './samples.ts';
import { type StubbedGateway, stubGateway } from './stub-gateway.ts';
import { outFee, pinSet, withdrawal } from './withdrawal-samples.ts';

export const PIX_KEY = 'financeiro@emporiocapibaribe.com.br';
export const richWallet = walletOf({ available: 12_480.37, earned: 12_480.37, gross: 13_000, deposits: 40 });

/** Stubs a gateway that accepts withdrawals, for a merchant with a balance of R$ 12.480,37. */
export async function stubWithdrawalGateway(): Promise<StubbedGateway> {
  await page.viewport(1440, 900);
  const gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(outFees, outFee);
  gateway.answer(getWalletStats, richWallet);
  gateway.answer(checkWithdrawalPin, pinSet);
  gateway.answer(withdraw, { success: true, message: 'Saque solicitado.', withdrawal });
  return gateway;
}

export type RenderedScreen = Awaited<ReturnType<typeof renderScreen>>['screen'];

/** Opens the withdrawal screen. `approved` says whether the merchant's account is approved. */
export async function openScreen(gateway: StubbedGateway, approved = true) {
  gateway.answer(profile, { user: { ...user, approved } });
  const rendered = await renderScreen('/withdrawals', WithdrawalsPage, { approved });
  // In the app, the frame loads the account on every screen.
  await queryClient.prefetchQuery(profileQuery);
  return rendered;
}

/** Opens the withdrawal screen, and waits until the form has its data. */
export async function openForm(gateway: StubbedGateway) {
  const rendered = await openScreen(gateway);
  await expect.element(rendered.screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
  await expect.element(rendered.screen.getByText(/disponível R\$\s12\.480,37/)).toBeVisible();
  return rendered;
}

/**
 * Fills in the amount, R$ 2.500,00 by default, and an e-mail address as Pix key. Submits the form, which opens the PIN
 * dialog.
 */
export async function fillInAndSubmit(screen: RenderedScreen, cents = '250000') {
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard(cents);
  await screen.getByLabelText('Tipo de chave').selectOptions('email');
  await screen.getByLabelText('Chave PIX').fill(PIX_KEY);
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Confirmar saque' })).toBeVisible();
}

/** Types the PIN in the dialog, and confirms the withdrawal. */
export async function confirmWithPin(screen: RenderedScreen, pin = '4829') {
  await screen.getByLabelText('PIN de saque', { exact: true }).fill(pin);
  await screen.getByRole('button', { name: 'Confirmar' }).click();
}

/** The withdrawal screen with a button that unmounts the screen and mounts it again. */
export function ToggledPage() {
  const [isMounted, setIsMounted] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setIsMounted(!isMounted)}>
        Sair ou voltar
      </button>
      {isMounted && <WithdrawalsPage />}
    </>
  );
}
