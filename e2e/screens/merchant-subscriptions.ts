import {
  cancelSubscription,
  chargeCycle,
  createSubscription,
  getSubscription,
  getSubscriptionSummary,
  listCycles,
  listSubscriptions,
  type Subscription,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  activeSubscription,
  allCycles,
  endedSubscription,
  givenUpCycle,
  pastDueSubscription,
  plannedCycle,
  subscriptionSummaryOf,
  variableSubscription,
  waitingSubscription,
} from '../../web/src/testing/subscription-samples.ts';
import { skeleton } from './admin.ts';
import { LONG } from './merchant-sales.ts';
import { answer, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

const PATH = '/assinaturas';
const NEW_PATH = `${PATH}/nova`;
const summary = answer(getSubscriptionSummary, subscriptionSummaryOf());
type Options = Partial<Omit<Screen, 'name' | 'visitor' | 'path' | 'shows' | 'stubs'>>;

const screen = (
  name: string,
  path: string,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[] = [],
  options: Options = {},
): Screen => ({
  name: `subscriptions${name}`,
  visitor: 'merchant',
  path,
  shows,
  stubs: [summary, ...stubs],
  ...options,
});

const one = (
  name: string,
  subscription: Subscription,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[] = [],
  options: Options = {},
): Screen =>
  screen(
    `-one-${name}`,
    `${PATH}?id=${subscription.id}`,
    shows,
    [answer(getSubscription, subscription), answer(listCycles, { data: [] }), ...stubs],
    options,
  );

const all = [
  activeSubscription,
  waitingSubscription,
  pastDueSubscription,
  variableSubscription,
  endedSubscription,
  {
    ...activeSubscription,
    id: 'long',
    payer: { name: LONG, document: '12345678000195' },
    description: 'Manutenção do elevador e portaria',
    amount: 14_999.99,
    period: 'semiannual' as const,
  },
];

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
/** A 31st that is always ahead. */
const firstDay = `${new Date().getFullYear() + 1}-01-31`;
const fillForm = async (page: Page) => {
  await page.getByLabel('Nome de quem paga').fill('Ana Souza');
  await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
  await page.getByLabel('O que é').fill('Mensalidade da academia');
  await page.getByLabel('Valor de cada cobrança').pressSequentially('9990');
  await page.getByLabel('Primeira cobrança').fill(firstDay);
};
const review = async (page: Page) => {
  await fillForm(page);
  await press('Conferir assinatura')(page);
};
const create = async (page: Page) => {
  await review(page);
  await press('Criar assinatura')(page);
};

/** The screens of a merchant's subscriptions, in their states. */
export const merchantSubscriptions: readonly Screen[] = [
  screen('', PATH, 'Carla Menezes', [answer(listSubscriptions, { data: all, next: 'more' })]),
  screen('-empty', PATH, 'Nenhuma assinatura ainda', [answer(listSubscriptions, { data: [], next: null })]),
  screen('-no-result', `${PATH}?status=past_due&search=zzz`, 'Limpar filtros', [
    answer(listSubscriptions, { data: [], next: null }),
  ]),
  screen('-loading', PATH, skeleton, [stall(listSubscriptions), stall(getSubscriptionSummary)], {
    isLoading: true,
  }),
  screen('-error', PATH, 'Erro ao buscar as assinaturas', [fail(listSubscriptions)]),
  screen('-new', NEW_PATH, 'Como o pagador autoriza'),
  screen('-new-wrong', NEW_PATH, 'Informe o nome de quem paga.', [], {
    steps: async (page) => {
      await page.getByRole('radio', { name: 'Pedido no aplicativo do banco' }).click();
      await press('Conferir assinatura')(page);
    },
  }),
  screen('-new-variable', NEW_PATH, 'Menor máximo (opcional)', [], {
    steps: (page) => page.getByText('Muda a cada vez').click(),
  }),
  screen('-new-offer', NEW_PATH, 'Vencimento', [], {
    steps: (page) => page.getByRole('radio', { name: /^Oferecer junto/ }).click(),
  }),
  screen('-new-confirm', NEW_PATH, /a partir de/, [], { steps: review }),
  screen(
    '-new-refused',
    NEW_PATH,
    /não faz débitos/,
    [refuse(createSubscription, 'RECURRING_NOT_SUPPORTED')],
    {
      steps: create,
    },
  ),
  one('waiting', waitingSubscription, 'O pagador ainda não autorizou.'),
  one(
    'push',
    { ...waitingSubscription, authorization: 'push', code: null },
    'O pedido está no aplicativo do banco do pagador.',
  ),
  one('active', activeSubscription, /debita sozinho/, [answer(listCycles, { data: allCycles })]),
  one('past-due', pastDueSubscription, 'A última cobrança não foi paga.', [
    answer(listCycles, { data: allCycles.slice(1) }),
  ]),
  one('variable', variableSubscription, /^Informe o valor da próxima/, [
    answer(listCycles, { data: [{ ...plannedCycle, amount: null }] }),
  ]),
  one(
    'variable-amount',
    variableSubscription,
    'Guardar valor',
    [answer(listCycles, { data: [{ ...plannedCycle, amount: null }] })],
    { steps: press(/^Informar valor da/) },
  ),
  one('ended', endedSubscription, /crie outra assinatura/, [
    answer(listCycles, { data: allCycles.slice(2) }),
  ]),
  one('charge', activeSubscription, 'Criar cobrança', [answer(listCycles, { data: allCycles })], {
    steps: press(/^Cobrar de outro modo/),
  }),
  one(
    'charge-refused',
    activeSubscription,
    /não muda mais/,
    [
      answer(listCycles, { data: [{ ...givenUpCycle, other_payment_id: null }] }),
      refuse(chargeCycle, 'CYCLE_TOO_LATE'),
    ],
    {
      steps: async (page) => {
        await press(/^Cobrar de outro modo/)(page);
        await press('Criar cobrança')(page);
      },
    },
  ),
  one(
    'cancel-cycle',
    activeSubscription,
    /até as 22 h da véspera/,
    [answer(listCycles, { data: allCycles })],
    { steps: press(/^Cancelar a cobrança/) },
  ),
  one(
    'cancel',
    { ...activeSubscription, next_cycle: { ...plannedCycle, status: 'scheduled' } },
    /ainda pode ser debitado/,
    [answer(listCycles, { data: allCycles }), fail(cancelSubscription)],
    { steps: press('Cancelar assinatura') },
  ),
  screen('-one-loading', `${PATH}?id=x`, skeleton, [stall(getSubscription)], { isLoading: true }),
  screen('-one-not-there', `${PATH}?id=x`, 'Assinatura não encontrada.', [
    refuse(getSubscription, 'SUBSCRIPTION_NOT_FOUND'),
  ]),
  screen('-one-error', `${PATH}?id=x`, 'Erro ao buscar a assinatura', [fail(getSubscription)]),
];
