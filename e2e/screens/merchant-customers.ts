import {
  createCustomer,
  getCustomer,
  getReminders,
  listCustomers,
  listPayments,
  listSubscriptions,
  type Subscription,
  setReminders,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { customer, reminders } from '../../web/src/testing/customer-samples.ts';
import { overdueTransaction } from '../../web/src/testing/due-samples.ts';
import {
  activeSubscription,
  pastDueSubscription,
  variableSubscription,
  waitingSubscription,
} from '../../web/src/testing/subscription-samples.ts';
import { skeleton } from './admin.ts';
import { LONG } from './merchant-sales.ts';
import { answer, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

const PATH = '/clientes';
const totals = {
  open: { count: 2, amount: 1430.4 },
  overdue: { count: 1, amount: 92.4 },
  paid: { count: 5, amount: 450 },
};
const large = {
  ...customer,
  id: '01997d6d-0e2b-7d4d-9a8e-0f3c5b1a2e45',
  name: LONG,
  document: '11.222.333/0001-81',
  email: 'financeiro.e.contas.a.pagar@associacao-dos-pescadores-do-litoral-norte.example.com',
  note: 'Paga sempre no dia 10. Prefere que a gente ligue antes de mandar cobrança nova.',
};
const list = answer(listCustomers, {
  data: [customer, large, { ...customer, id: 'third', name: 'Bento Lima', email: null, phone: null }],
  next: 'more',
});
const theirs: readonly Subscription[] = [
  activeSubscription,
  pastDueSubscription,
  { ...variableSubscription, description: 'Manutenção do elevador e portaria' },
  waitingSubscription,
];

type Options = Partial<Pick<Screen, 'steps' | 'isLoading' | 'visitor'>>;
const screen = (
  name: string,
  path: string,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[] = [],
  options: Options = {},
): Screen => ({ name: `customers${name}`, visitor: 'merchant', path, shows, stubs, ...options });

const one = (
  name: string,
  shown: typeof customer,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[] = [],
  options: Options = {},
): Screen =>
  screen(
    `-one-${name}`,
    `${PATH}?id=${shown.id}`,
    shows,
    [
      list,
      answer(getCustomer, { ...shown, totals }),
      answer(listPayments, { data: [overdueTransaction], next: null }),
      answer(listSubscriptions, { data: [...theirs], next: null }),
      ...stubs,
    ],
    options,
  );

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const noCustomers = answer(listCustomers, { data: [], next: null });

const customers: readonly Screen[] = [
  screen('', PATH, 'Bento Lima', [list]),
  screen('-empty', PATH, 'Nenhum cliente ainda', [noCustomers]),
  screen('-no-result', `${PATH}?search=zzz`, 'Nenhum cliente encontrado', [noCustomers]),
  screen('-loading', PATH, skeleton, [stall(listCustomers)], { isLoading: true }),
  screen('-error', PATH, 'Erro ao buscar os clientes', [fail(listCustomers)]),
  screen('-new', PATH, 'CEP', [list], { steps: press('Cadastrar cliente') }),
  screen(
    '-new-exists',
    PATH,
    'Já há um cliente com este documento.',
    [
      list,
      refuse(createCustomer, 'CUSTOMER_EXISTS', {
        fields: [{ field: 'document', message: 'Já há um cliente com este documento.' }],
      }),
    ],
    {
      steps: async (page) => {
        await press('Cadastrar cliente')(page);
        await page.getByLabel('Nome', { exact: true }).fill('Maria Souza');
        await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
        await page.getByRole('button', { name: 'Cadastrar', exact: true }).click();
      },
    },
  ),
  one('subscriptions', customer, /com cobrança não paga/),
  one('large', large, /Prefere que a gente/),
  one('nothing', customer, 'Criar assinatura', [
    answer(listPayments, { data: [], next: null }),
    answer(listSubscriptions, { data: [], next: null }),
  ]),
  one('archived', { ...customer, archived_at: customer.created_at }, /não recebe novas\s+cobranças/),
  one('archive', customer, /O que está em aberto continua/, [], { steps: press('Arquivar') }),
  one('accountant', customer, 'Fechar', [], { visitor: 'accountant' }),
  screen('-one-loading', `${PATH}?id=${customer.id}`, skeleton, [list, stall(getCustomer)], {
    isLoading: true,
  }),
  screen('-one-error', `${PATH}?id=${customer.id}`, 'Tentar Novamente', [list, fail(getCustomer)]),
];

const dunning = {
  ...reminders,
  active: true,
  failed_debits: { ...reminders.failed_debits, active: true, warns: true },
  authorization_requests: { ...reminders.authorization_requests, active: true },
};
const saveChanged = async (page: Page) => {
  await page.getByLabel('Assunto', { exact: true }).fill('Não esqueça');
  await page.getByRole('button', { name: 'Salvar' }).click();
};

const remindersScreens: readonly Screen[] = [
  screen('-reminders', `${PATH}/lembretes`, 'Enviar lembretes', [answer(getReminders, reminders)]),
  screen('-reminders-dunning', `${PATH}/lembretes`, 'Texto da nova tentativa', [
    answer(getReminders, dunning),
  ]),
  screen('-reminders-no-day', `${PATH}/lembretes`, 'Escolha pelo menos um dia.', [
    answer(getReminders, { ...dunning, days: [] }),
  ]),
  screen(
    '-reminders-stale',
    `${PATH}/lembretes`,
    /foram alterados enquanto isso/,
    [answer(getReminders, dunning), refuse(setReminders, 'STALE_VERSION')],
    { steps: saveChanged },
  ),
  screen('-reminders-loading', `${PATH}/lembretes`, skeleton, [stall(getReminders)], { isLoading: true }),
  screen('-reminders-error', `${PATH}/lembretes`, 'Erro ao buscar os lembretes', [fail(getReminders)]),
];

/** The screens of customers and of their reminders, in their states. */
export const merchantCustomers: readonly Screen[] = [...customers, ...remindersScreens];
