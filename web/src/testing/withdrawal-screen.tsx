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

export const KEY = 'financeiro@emporiocapibaribe.com.br';
export const rich = walletOf({ available: 12_480.37, earned: 12_480.37, gross: 13_000, deposits: 40 });

/** A gateway that takes withdrawals. */
export async function givenWithdrawals(): Promise<StubbedGateway> {
  await page.viewport(1440, 900);
  const gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(outFees, outFee);
  gateway.answer(getWalletStats, rich);
  gateway.answer(checkWithdrawalPin, pinSet);
  gateway.answer(withdraw, { success: true, message: 'Saque solicitado.', withdrawal });
  return gateway;
}

export type RenderedScreen = Awaited<ReturnType<typeof renderScreen>>['screen'];

export async function open(gateway: StubbedGateway, approved = true) {
  gateway.answer(profile, { user: { ...user, approved } });
  const drawn = await renderScreen('/withdrawals', WithdrawalsPage, { approved });
  // The frame loads the account on every screen.
  await queryClient.prefetchQuery(profileQuery);
  return drawn;
}

export async function openForm(gateway: StubbedGateway) {
  const drawn = await open(gateway);
  await expect.element(drawn.screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
  await expect.element(drawn.screen.getByText(/disponível R\$\s12\.480,37/)).toBeVisible();
  return drawn;
}

/** Fills in R$ 2.500,00 to an e-mail and goes on to the PIN. */
export async function askFor(screen: RenderedScreen, cents = '250000') {
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard(cents);
  await screen.getByLabelText('Tipo de chave').selectOptions('email');
  await screen.getByLabelText('Chave PIX').fill(KEY);
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Confirmar saque' })).toBeVisible();
}

export async function confirm(screen: RenderedScreen, pin = '4829') {
  await screen.getByLabelText('PIN de saque', { exact: true }).fill(pin);
  await screen.getByRole('button', { name: 'Confirmar' }).click();
}

export function LeftAndOpened() {
  const [shown, setShown] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setShown(!shown)}>
        Sair ou voltar
      </button>
      {shown && <WithdrawalsPage />}
    </>
  );
}
