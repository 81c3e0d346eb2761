// The screens of a merchant's subscriptions: the list, the form for a new one, and the life of one.

import {
  accountTaxes,
  type Cycle,
  cancelCycle,
  cancelSubscription,
  chargeCycle,
  createSubscription,
  getSubscription,
  getSubscriptionSummary,
  listCycles,
  listSubscriptions,
  publicSettings,
  setCycleAmount,
} from '@jangada/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { refetchChanged } from '../../app/live/refetch-changed.ts';
import { dayOf, shiftDay } from '../../format/date.ts';
import { shopAccount } from '../../testing/member-samples.ts';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { settings, taxes } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import {
  activeSubscription,
  allCycles,
  endedSubscription,
  pastDueSubscription,
  plannedCycle,
  subscriptionSummaryOf,
  variableSubscription,
  waitingSubscription,
} from '../../testing/subscription-samples.ts';
import { NewSubscriptionPage } from './new-subscription-page.tsx';
import { SubscriptionsPage } from './subscriptions-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(getSubscriptionSummary, subscriptionSummaryOf());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openList = (search = '') => renderScreen(`/assinaturas${search}`, SubscriptionsPage);
const openOne = ({ id }: { id: string }) => openList(`?id=${id}`);
const charged: Cycle = {
  ...plannedCycle,
  other_payment_id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8aa',
  other_checkout_url: 'https://pix.example.com/pagar/abc',
};
const refusal = (field: string, message: string) => ({ fields: [{ field, message }] });

describe('the list', () => {
  test('shows what is expected and each subscription with its state, at any width, and leads to one', async () => {
    gateway.answer(listSubscriptions, { data: [activeSubscription, waitingSubscription], next: null });
    const { screen, currentUrl } = await openList();
    const figures = screen.getByRole('region', { name: 'Situação' });
    await expect.element(figures).toMatchTextContent(/Previsto em 31 diasR\$\s4\.295,70em 43 cobranças/);
    await expect.element(figures).toMatchTextContent(/Em atraso2/);
    await expect
      .element(
        screen.getByRole('row', {
          name: /Ana Souza.*R\$\s99,90.*por mês.*Todo dia 10.*Ativa.*11\/01\/\d{4}/,
        }),
      )
      .toBeVisible();
    await expect
      .element(screen.getByRole('row', { name: /Bruno Lima.*Esperando autorização/ }))
      .toBeVisible();
    await expect.element(screen.getByText('Canceladas pelo pagador')).toBeVisible();
    await page.viewport(390, 844);
    const first = screen.getByRole('list', { name: 'Assinaturas' }).getByRole('listitem').first();
    await expect.element(first).toMatchTextContent(/Ana Souza.*Ativa.*99,90.*débito em 11\/01\/\d{4}/);
    await first.getByRole('button').click();
    await expect.poll(currentUrl).toBe(`/assinaturas?id=${activeSubscription.id}`);
  });

  test('is filtered by state and searched, and more are loaded', async () => {
    gateway.answer(listSubscriptions, { data: [activeSubscription], next: 'cursor' });
    const { screen, currentUrl } = await openList();
    await screen.getByRole('button', { name: 'Carregar mais' }).click();
    await expect.poll(() => gateway.calls(listSubscriptions).at(-1)?.query.get('before')).toBe('cursor');
    await screen.getByText('Em atraso', { exact: true }).last().click();
    await expect.poll(currentUrl).toBe('/assinaturas?status=past_due');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Buscar assinatura' }), 'Ana{Enter}');
    await expect.poll(() => gateway.calls(listSubscriptions).at(-1)?.query.get('search')).toBe('Ana');
    expect(gateway.calls(listSubscriptions).at(-1)?.query.get('status')).toBe('past_due');
  });

  test('without any says what subscriptions are and where to begin; a filter without result can be taken off', async () => {
    gateway.answer(listSubscriptions, { data: [], next: null });
    const { screen } = await openList();
    await expect.element(screen.getByText(/autoriza uma vez no banco dela/)).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Nova assinatura' }))
      .toHaveAttribute('href', '/assinaturas/nova');
    await screen.unmount();
    const { screen: filtered, currentUrl } = await openList('?status=ended');
    await filtered.getByRole('button', { name: 'Limpar filtros' }).click();
    await expect.poll(currentUrl).toBe('/assinaturas');
  });

  test('that fails to load can be asked for again', async () => {
    gateway.fail(listSubscriptions);
    const { screen } = await openList();
    await expect.element(screen.getByText('Erro ao buscar as assinaturas')).toBeVisible();
    gateway.answer(listSubscriptions, { data: [activeSubscription], next: null });
    await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
    await expect.element(screen.getByRole('row', { name: /Ana Souza/ })).toBeVisible();
  });

  test('is saved as CSV, all of its pages and only what the filter selects', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
      saved.push(content as Blob);
      return 'blob:';
    });
    gateway.answer(listSubscriptions, ({ query }) =>
      query.get('before') === null
        ? { data: [activeSubscription], next: 'second' }
        : { data: [waitingSubscription], next: null },
    );
    const { screen } = await openList('?search=Ana');
    await screen.getByRole('button', { name: 'Exportar CSV' }).click();
    await expect.poll(() => saved.length).toBe(1);
    const { query } = gateway.calls(listSubscriptions).at(-1) ?? {};
    expect(Object.fromEntries(query ?? [])).toEqual({ search: 'Ana', limit: '100', before: 'second' });
    const [heads, ...lines] = ((await saved[0]?.text()) ?? '').trim().split('\r\n');
    expect(heads).toMatch(/^Quem paga;CPF ou CNPJ;Seu código;O que é;Valor;Período;/);
    expect(lines).toMatchObject([
      expect.stringMatching(/^Ana Souza;.*;99,90;por mês;.*;Ativa;/),
      expect.stringMatching(/^Bruno Lima;.*;Esperando autorização;/),
    ]);
  });

  test('is read, but nothing is offered, by a role that does not manage charges', async () => {
    gateway.answer(listSubscriptions, { data: [activeSubscription], next: null });
    const { screen } = await renderScreen('/assinaturas', SubscriptionsPage, {
      account: { ...shopAccount, role: 'accountant' },
    });
    await expect.element(screen.getByRole('row', { name: /Ana Souza/ })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Nova assinatura' }).elements()).toEqual([]);
  });
});

/** A 31st that is always ahead. */
const nextYear = Number(dayOf(new Date()).slice(0, 4)) + 1;
const thirtyFirst = `${nextYear}-01-31`;

describe('the form', () => {
  const openForm = async () => {
    gateway.answer(accountTaxes, { success: true, data: taxes });
    return renderScreen('/assinaturas/nova', NewSubscriptionPage);
  };
  type Opened = Awaited<ReturnType<typeof openForm>>['screen'];
  const fill = async (screen: Opened, firstDay = thirtyFirst) => {
    await userEvent.fill(screen.getByLabelText('Nome de quem paga'), 'Ana Souza');
    await userEvent.fill(screen.getByLabelText('CPF ou CNPJ'), '529.982.247-25');
    await userEvent.fill(screen.getByLabelText('O que é'), 'Mensalidade da academia');
    await userEvent.fill(screen.getByLabelText('Primeira cobrança'), firstDay);
  };
  const review = (screen: Opened) => screen.getByRole('button', { name: 'Conferir assinatura' }).click();

  test('says in words what will be charged before it is created, and then shows the code and the page to send', async () => {
    gateway.answer(createSubscription, waitingSubscription);
    gateway.answer(getSubscription, waitingSubscription);
    gateway.answer(listCycles, { data: [] });
    const { screen, currentUrl } = await openForm();
    await fill(screen);
    await userEvent.type(screen.getByLabelText('Valor de cada cobrança'), '9990');
    await review(screen);
    const dialog = screen.getByRole('dialog');
    await expect
      .element(dialog)
      .toMatchTextContent(
        new RegExp(
          `Todo dia 31, R\\$\\s99,90, a partir de 31/01/${nextYear}\\..*último dia do mês.*próximo dia útil.*1, 4 e 7 dias depois`,
        ),
      );
    expect(gateway.calls(createSubscription)).toEqual([]);
    await dialog.getByRole('button', { name: 'Criar assinatura' }).click();
    await expect.poll(currentUrl).toBe(`/assinaturas?id=${waitingSubscription.id}`);
    expect(gateway.calls(createSubscription)[0]?.body).toEqual({
      payer: { name: 'Ana Souza', document: '52998224725' },
      description: 'Mensalidade da academia',
      amount: 99.9,
      min_maximum: null,
      period: 'monthly',
      first_day: thirtyFirst,
      last_day: null,
      retry_days: [1, 4, 7],
      authorization: 'code',
      first_payment: null,
      payer_account: null,
    });
  });

  test('puts each error at its field, before sending and when the gateway refuses one', async () => {
    const { screen } = await openForm();
    await review(screen);
    for (const [label, text] of [
      ['Nome de quem paga', 'Informe o nome de quem paga.'],
      ['CPF ou CNPJ', 'Informe um CPF ou CNPJ válido.'],
      ['O que é', 'Diga o que está sendo pago.'],
      ['Primeira cobrança', 'Informe o dia da primeira cobrança.'],
    ] as const)
      await expect.element(screen.getByLabelText(label)).toHaveAccessibleDescription(text);
    await fill(screen, shiftDay(dayOf(new Date()), -1));
    await userEvent.type(screen.getByLabelText('Valor de cada cobrança'), '9990');
    await review(screen);
    await expect
      .element(screen.getByLabelText('Primeira cobrança'))
      .toHaveAccessibleDescription('O primeiro dia não pode estar no passado.');
    await userEvent.fill(screen.getByLabelText('Primeira cobrança'), thirtyFirst);
    gateway.refuse(
      createSubscription,
      'SUBSCRIPTION_INVALID',
      refusal('first_day', 'Cedo demais para o banco.'),
    );
    await review(screen);
    await screen.getByRole('button', { name: 'Criar assinatura' }).click();
    await expect
      .element(screen.getByLabelText('Primeira cobrança'))
      .toHaveAccessibleDescription('Cedo demais para o banco.');
  });

  test('says in the confirmation why the gateway created none', async () => {
    const { screen } = await openForm();
    await fill(screen);
    await userEvent.type(screen.getByLabelText('Valor de cada cobrança'), '9990');
    await review(screen);
    gateway.refuse(createSubscription, 'RECURRING_NOT_SUPPORTED');
    await screen.getByRole('button', { name: 'Criar assinatura' }).click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/não faz débitos por Pix Automático/);
    gateway.disconnect(createSubscription);
    await screen.getByRole('button', { name: 'Criar assinatura' }).click();
    await expect
      .element(screen.getByRole('alert'))
      .toMatchTextContent(/Não sabemos se a assinatura foi criada/);
  });

  test('of a variable amount takes the least maximum, other days of retries, and a request at the payer’s bank', async () => {
    gateway.answer(createSubscription, variableSubscription);
    gateway.answer(getSubscription, variableSubscription);
    gateway.answer(listCycles, { data: [] });
    const { screen } = await openForm();
    await fill(screen);
    await screen.getByText('Muda a cada vez').click();
    await userEvent.type(screen.getByLabelText('Menor máximo (opcional)'), '15000');
    await userEvent.selectOptions(screen.getByLabelText('Com que frequência'), 'Toda semana');
    const day = (name: string) => screen.getByRole('checkbox', { name });
    for (const name of ['1 dia depois', '4 dias depois']) await day(name).click();
    await review(screen);
    await expect.element(screen.getByText('Escolha pelo menos um dia.')).toBeVisible();
    for (const name of ['1 dia depois', '4 dias depois']) await day(name).click();
    // A fourth day cannot be chosen, and the seventh is the day of the next debit.
    await day('3 dias depois').click();
    await expect.element(day('2 dias depois')).toBeDisabled();
    expect(day('7 dias depois').elements()).toEqual([]);
    await screen.getByRole('radio', { name: 'Pagar a primeira e autorizar' }).click();
    await review(screen);
    await expect.element(screen.getByLabelText('Valor desse pagamento')).toBeInvalid();
    await screen.getByRole('radio', { name: 'Pedido no aplicativo do banco' }).click();
    await review(screen);
    await expect
      .element(screen.getByLabelText('ISPB do banco'))
      .toHaveAccessibleDescription('O ISPB tem 8 dígitos.');
    await userEvent.fill(screen.getByLabelText('ISPB do banco'), '60701190');
    await userEvent.fill(screen.getByLabelText('Conta', { exact: true }), '12345-6');
    await review(screen);
    await expect.element(screen.getByRole('dialog')).toMatchTextContent(/Todo domingo|Toda/);
    await screen.getByRole('button', { name: 'Criar assinatura' }).click();
    await expect
      .poll(() => gateway.calls(createSubscription)[0]?.body)
      .toMatchObject({
        amount: null,
        min_maximum: 150,
        period: 'weekly',
        retry_days: [1, 3, 4],
        authorization: 'push',
        payer_account: { ispb: '60701190', branch: null, number: '123456' },
      });
  });
});

test('an offer along with a due charge says when that falls due and what it costs', async () => {
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(createSubscription, waitingSubscription);
  gateway.answer(getSubscription, waitingSubscription);
  gateway.answer(listCycles, { data: [] });
  const { screen } = await renderScreen('/assinaturas/nova', NewSubscriptionPage);
  await userEvent.fill(screen.getByLabelText('Nome de quem paga'), 'Ana Souza');
  await userEvent.fill(screen.getByLabelText('CPF ou CNPJ'), '52998224725');
  await userEvent.fill(screen.getByLabelText('O que é'), 'Mensalidade');
  await userEvent.fill(screen.getByLabelText('Primeira cobrança'), thirtyFirst);
  await userEvent.type(screen.getByLabelText('Valor de cada cobrança'), '9990');
  await screen.getByRole('radio', { name: /^Oferecer junto/ }).click();
  const review = screen.getByRole('button', { name: 'Conferir assinatura' });
  await review.click();
  await expect
    .element(screen.getByLabelText('Vencimento'))
    .toHaveAccessibleDescription('Informe quando ela vence, de hoje em diante.');
  await userEvent.fill(screen.getByLabelText('Vencimento'), `${nextYear}-01-05`);
  await review.click();
  await expect
    .element(screen.getByRole('dialog'))
    .toMatchTextContent(new RegExp(`Além disso, a pessoa paga R\\$\\s99,90 até 05/01/${nextYear}`));
  await screen.getByRole('button', { name: 'Criar assinatura' }).click();
  await expect
    .poll(() => gateway.calls(createSubscription)[0]?.body)
    .toMatchObject({
      authorization: 'offer',
      first_payment: { amount: null, due_date: `${nextYear}-01-05` },
    });
});

describe('one subscription', () => {
  test('that waits shows the page and the code to send, and turns when the payer has allowed it', async () => {
    gateway.answer(getSubscription, waitingSubscription);
    gateway.answer(listCycles, { data: [] });
    const copied = spyClipboard();
    const { screen } = await openOne(waitingSubscription);
    await expect.element(screen.getByText('O pagador ainda não autorizou.')).toBeVisible();
    await screen.getByRole('button', { name: 'Copiar link' }).click();
    await screen.getByRole('button', { name: 'Copiar código' }).click();
    expect(copied).toEqual([waitingSubscription.page_url, waitingSubscription.code]);
    gateway.answer(getSubscription, activeSubscription);
    refetchChanged('subscriptions');
    await expect.element(screen.getByText(/banco dele debita sozinho/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Copiar código' }).elements()).toEqual([]);
  });

  test('tells each charge by its month, with every attempt and why it failed, and what can be done', async () => {
    gateway.answer(getSubscription, pastDueSubscription);
    gateway.answer(listCycles, { data: allCycles });
    const { screen } = await openOne(pastDueSubscription);
    await expect.element(screen.getByText(/tenta de novo em 11\/12\/\d{4}/).first()).toBeVisible();
    const entries = screen.getByRole('list', { name: 'Cobranças' }).getByRole('heading');
    await expect
      .poll(() => entries.elements().map(({ textContent }) => textContent?.replace(/ de \d{4}$/, '')))
      .toEqual([
        'Cobrança de janeiro',
        'Cobrança de dezembro',
        'Cobrança de novembro',
        'Cobrança de outubro',
      ]);
    await expect.element(screen.getByText(/passa do máximo que o pagador escolheu/).first()).toBeVisible();
    await expect
      .element(screen.getByText(/Débito em 11\/01\/\d{4} \(dia 10\/01\/\d{4} não é dia útil\)/))
      .toBeVisible();
    await expect.element(screen.getByText(/Em geral falta saldo/).first()).toBeVisible();
    await expect
      .element(screen.getByRole('button', { name: /^Cobrar de novo a cobrança de novembro/ }))
      .toBeVisible();
    // What is paid or being tried again cannot be cancelled.
    for (const name of [
      /^Cancelar a cobrança de (outubro|dezembro)/,
      /^Cobrar de outro modo a cobrança de novembro/,
    ])
      expect(screen.getByRole('button', { name }).elements()).toEqual([]);
  });

  test('a charge is made for one cycle, and its link is shown', async () => {
    gateway.answer(getSubscription, activeSubscription);
    gateway.answer(listCycles, { data: [plannedCycle] });
    const { screen } = await openOne(activeSubscription);
    await screen.getByRole('button', { name: /^Cobrar de outro modo a cobrança de janeiro/ }).click();
    const dialog = screen.getByRole('dialog');
    gateway.refuse(chargeCycle, 'CYCLE_TOO_LATE');
    await dialog.getByRole('button', { name: 'Criar cobrança' }).click();
    await expect.element(dialog.getByRole('alert')).toMatchTextContent(/não muda mais/);
    gateway.answer(chargeCycle, charged);
    await dialog.getByRole('button', { name: 'Criar cobrança' }).click();
    await expect.element(dialog.getByText('pix.example.com/pagar/abc')).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Copiar link' })).toBeVisible();
  });

  test('a cycle of variable amount gets its amount, with the refusal at the field, and a cycle is cancelled', async () => {
    gateway.answer(getSubscription, variableSubscription);
    gateway.answer(listCycles, { data: [{ ...plannedCycle, amount: null }] });
    const { screen } = await openOne(variableSubscription);
    await expect.element(screen.getByText(/Informe o valor da próxima cobrança/)).toBeVisible();
    await screen.getByRole('button', { name: /^Informar valor da/ }).click();
    await userEvent.type(screen.getByLabelText('Valor', { exact: true }), '18050');
    gateway.refuse(setCycleAmount, 'AMOUNT_TOO_LARGE');
    await screen.getByRole('button', { name: 'Guardar valor' }).click();
    await expect.element(screen.getByLabelText('Valor', { exact: true })).toBeInvalid();
    gateway.answer(setCycleAmount, { ...plannedCycle, amount: 180.5 });
    await screen.getByRole('button', { name: 'Guardar valor' }).click();
    await expect.element(screen.getByText('Valor guardado')).toBeVisible();
    expect(gateway.calls(setCycleAmount).at(-1)?.body).toEqual({ amount: 180.5 });
    gateway.answer(cancelCycle, { ...plannedCycle, status: 'cancelled', reason: 'by_merchant' });
    await screen.getByRole('button', { name: /^Cancelar a cobrança de janeiro/ }).click();
    await screen.getByRole('alertdialog').getByRole('button', { name: 'Cancelar cobrança' }).click();
    await expect.poll(() => gateway.calls(cancelCycle)).toHaveLength(1);
  });

  test('is cancelled after saying what may still be debited', async () => {
    const scheduled = { ...plannedCycle, status: 'scheduled' as const };
    gateway.answer(getSubscription, { ...activeSubscription, next_cycle: scheduled });
    gateway.answer(listCycles, { data: [scheduled] });
    const { screen } = await openOne(activeSubscription);
    await screen.getByRole('button', { name: 'Cancelar assinatura' }).click();
    const dialog = screen.getByRole('alertdialog');
    await expect
      .element(dialog)
      .toMatchTextContent(/já tem o débito de 11\/01\/\d{4}.*ainda pode ser debitado/);
    gateway.answer(cancelSubscription, endedSubscription);
    gateway.answer(getSubscription, endedSubscription);
    await dialog.getByRole('button', { name: 'Cancelar assinatura' }).click();
    await expect.element(screen.getByText('Encerrada', { exact: true })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Cancelar assinatura' }).elements()).toEqual([]);
  });

  test('that ended says who ended it and what to do', async () => {
    gateway.answer(getSubscription, endedSubscription);
    gateway.answer(listCycles, { data: [] });
    const { screen } = await openOne(endedSubscription);
    await expect
      .element(screen.getByText('O pagador cancelou a autorização no banco dele. Não há mais débitos.'))
      .toBeVisible();
    await expect.element(screen.getByText(/crie outra assinatura/)).toBeVisible();
  });

  test('that does not exist says so, and one that fails to load can be asked for again', async () => {
    gateway.refuse(getSubscription, 'SUBSCRIPTION_NOT_FOUND');
    const { screen } = await openOne(activeSubscription);
    await expect
      .element(screen.getByText('Nenhuma assinatura da sua conta tem este endereço.'))
      .toBeVisible();
    await screen.unmount();
    gateway.fail(getSubscription);
    const { screen: failed } = await openOne(activeSubscription);
    await expect.element(failed.getByRole('button', { name: 'Tentar Novamente' })).toBeVisible();
  });
});
