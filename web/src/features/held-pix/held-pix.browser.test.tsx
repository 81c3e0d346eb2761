import {
  acceptHeldPix,
  getPayerRules,
  giveBackHeldPix,
  listHeldPix,
  ownBank,
  publicSettings,
  setPayerRules,
} from '@jangada/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ChargesRoute } from '../../app/charges-route.tsx';
import { heldPixSample, heldPixSamples } from '../../testing/batch-samples.ts';
import { shopAccount } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(listHeldPix, ({ query }) => ({
    data: heldPixSamples.filter(({ state }) => state === 'held' || query.get('state') === 'all'),
    next: null,
  }));
  gateway.answer(getPayerRules, { other_payer: 'hold', late: null, doubled: null });
});
afterEach(() => vi.unstubAllGlobals());

type Role = 'operator' | 'finance' | 'accountant';
const as = (role?: Role) => (role === undefined ? {} : { account: { ...shopAccount, role } });
const openHeld = (search = '', role?: Role) =>
  renderScreen(`/cobrancas?tab=held${search}`, ChargesRoute, as(role));
const openRules = (role?: Role) => renderScreen('/cobrancas?tab=rules', ChargesRoute, as(role));

describe('held Pix', () => {
  test('are listed with who paid, why, for which charge and until when to decide', async () => {
    const { screen } = await openHeld();
    await expect
      .element(
        screen.getByRole('row', {
          name: /Bento Albuquerque ?\*{3}\.344\.518-\*{2} Outra pessoa pagou mensalidade-41 R\$ 150,00 Decida ?Decida até/,
        }),
      )
      .toBeVisible();
    await expect
      .element(screen.getByRole('row', { name: /Cobrança já paga .* Já não pode ser devolvido/ }))
      .toBeVisible();
    expect(screen.getByText('Aceito', { exact: true }).elements()).toEqual([]);
    await screen.getByText('Todos').click();
    for (const word of ['Aceito', 'Devolvendo', 'Devolvido', 'Pagador não informado'])
      await expect.element(screen.getByText(word, { exact: true })).toBeVisible();
  });

  test('one is accepted after it is told what that means', async () => {
    gateway.answer(acceptHeldPix, { ...heldPixSample, state: 'accepted' });
    const { screen, currentUrl } = await openHeld();
    await screen.getByRole('button', { name: 'Ver' }).first().click();
    await expect.poll(currentUrl).toBe(`/cobrancas?tab=held&id=${heldPixSample.id}`);
    const dialog = screen.getByRole('dialog');
    await expect.element(dialog.getByText(/não é a pessoa que a cobrança nomeia/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Aceitar' }).click();
    await expect.element(dialog.getByText(/com a tarifa da cobrança/)).toBeVisible();
    expect(gateway.calls(acceptHeldPix)).toEqual([]);
    gateway.answer(listHeldPix, { data: [], next: null });
    await dialog.getByRole('button', { name: 'Aceitar' }).click();
    await expect.element(screen.getByText('Pix aceito')).toBeVisible();
    await expect.element(screen.getByText('Nada para decidir')).toBeVisible();
    await expect.poll(currentUrl).toBe('/cobrancas?tab=held');
  });

  test('one is given back after a question, and a refusal is told there', async () => {
    gateway.refuse(giveBackHeldPix, 'MEMBER_DAY_LIMIT');
    const { screen } = await openHeld(`&id=${heldPixSample.id}`);
    await screen.getByRole('dialog').getByRole('button', { name: 'Devolver' }).click();
    const question = screen.getByRole('alertdialog');
    await expect.element(question.getByText(/Volta inteiro para Bento Albuquerque/)).toBeVisible();
    await question.getByRole('button', { name: 'Devolver' }).click();
    await expect.element(question.getByRole('alert')).toBeVisible();
    gateway.answer(giveBackHeldPix, { ...heldPixSample, state: 'returning' });
    await question.getByRole('button', { name: 'Devolver' }).click();
    await expect.element(screen.getByText('Devolução pedida ao banco')).toBeVisible();
  });

  test('one that no bank takes back any more, or that is decided, offers only what is left', async () => {
    const late = heldPixSamples.find(({ why }) => why === 'second-payment');
    const { screen } = await openHeld(`&id=${late?.id}`);
    await expect.element(screen.getByText(/Você ainda pode aceitar/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Devolver' }).elements()).toEqual([]);
    await screen.unmount();
    const done = heldPixSamples.find(({ state }) => state === 'accepted');
    const decided = await openHeld(`&state=all&id=${done?.id}`);
    await expect.element(decided.screen.getByText('Virou o pagamento')).toBeVisible();
    expect(decided.screen.getByRole('button', { name: /^(Aceitar|Devolver)$/ }).elements()).toEqual([]);
  });

  test.for([
    ['operator', ['Aceitar', 'Devolver']],
    ['finance', ['Devolver']],
    ['accountant', []],
  ] as const)('the role %s may do %j', async ([role, buttons]) => {
    const { screen } = await openHeld(`&id=${heldPixSample.id}`, role);
    const dialog = screen.getByRole('dialog');
    await expect.element(dialog.getByText('Id do Pix')).toBeVisible();
    const offered = ['Aceitar', 'Devolver'].filter(
      (name) => dialog.getByRole('button', { name }).elements().length > 0,
    );
    expect(offered).toEqual(buttons);
  });

  test('none, and a failure, are told', async () => {
    gateway.answer(listHeldPix, { data: [], next: null });
    const { screen } = await openHeld('&state=all');
    await expect.element(screen.getByText('Nenhum Pix retido até hoje')).toBeVisible();
    await screen.unmount();
    gateway.fail(listHeldPix);
    const failed = await openHeld();
    await expect.element(failed.screen.getByText('Erro ao buscar os Pix retidos')).toBeVisible();
  });

  test('fit a phone', async () => {
    await page.viewport(390, 844);
    const { screen } = await openHeld('&state=all');
    await expect.element(screen.getByText(/^Outra pessoa pagou · Decida até/)).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe('the rules', () => {
  test('are shown, changed and saved', async () => {
    gateway.answer(setPayerRules, ({ body }) => body as { other_payer: 'hold'; late: null; doubled: null });
    const { screen } = await openRules();
    await expect.element(screen.getByLabelText('Se outra pessoa pagar')).toHaveValue('hold');
    await screen.getByLabelText('Se pagarem duas vezes').selectOptions('Devolver na hora');
    await screen.getByLabelText('Se outra pessoa pagar').selectOptions('Sem regra: é aceito');
    await screen.getByRole('button', { name: 'Salvar' }).click();
    await expect.element(screen.getByText('Regras salvas')).toBeVisible();
    expect(gateway.calls(setPayerRules).map(({ body }) => body)).toEqual([
      { other_payer: null, late: null, doubled: 'give_back' },
    ]);
  });

  test('stay as they were typed when saving fails, and tell of accounts at banks', async () => {
    gateway.answer(ownBank, {
      has_screen: true,
      has_own_accounts: true,
      must_connect: false,
      is_without_payouts: false,
      is_paid_into_own: true,
    });
    gateway.fail(setPayerRules);
    const { screen } = await openRules();
    await expect.element(screen.getByText(/Na sua conta do banco, um segundo Pix/)).toBeVisible();
    await screen.getByLabelText('Se pagarem fora do prazo').selectOptions('Reter e perguntar a mim');
    await screen.getByRole('button', { name: 'Salvar' }).click();
    await expect.element(screen.getByText('Erro ao salvar as regras. Tente novamente.')).toBeVisible();
    await expect.element(screen.getByLabelText('Se pagarem fora do prazo')).toHaveValue('hold');
  });

  test('are only read by whoever is no owner, and a failure is told', async () => {
    const { screen } = await openRules('operator');
    await expect.element(screen.getByLabelText('Se outra pessoa pagar')).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Salvar' }).elements()).toEqual([]);
    await screen.unmount();
    gateway.fail(getPayerRules);
    const failed = await openRules();
    await expect.element(failed.screen.getByText('Erro ao buscar as regras')).toBeVisible();
  });
});
