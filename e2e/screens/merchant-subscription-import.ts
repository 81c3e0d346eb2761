import {
  createCustomer,
  createSubscription,
  getCustomer,
  listCustomers,
  listSubscriptions,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { formatCalendarDay } from '../../web/src/format/date.ts';
import { customer } from '../../web/src/testing/customer-samples.ts';
import { dayIn } from '../../web/src/testing/due-samples.ts';
import { waitingSubscription } from '../../web/src/testing/subscription-samples.ts';
import { LONG } from './merchant-sales.ts';
import { answer, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

const first = formatCalendarDay(dayIn(20));
const heads = 'Aluno;CPF;Mensalidade;Início;E-mail;Matrícula';
const good = [
  `Ana Souza;529.982.247-25;99,90;${first};ana@example.com;aluno-1`,
  `${LONG};11.222.333/0001-81;14.999,99;${first};;aluno-2`,
  `Bruno Lima;111.444.777-35;1.120,00;${first};;aluno-3`,
];
const faulty = [
  `Bia;123;zero;31/02/2030;bia;aluno-4`,
  `Ana Souza de novo;529.982.247-25;10,00;${first};;aluno-1`,
];

const choose = (lines: readonly string[]) => (page: Page) =>
  page.locator('input[type=file]').setInputFiles({
    name: 'alunos.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([heads, ...lines].join('\n')),
  });
const confirm = async (page: Page) => {
  await choose([...good, ...faulty])(page);
  await page.getByRole('button', { name: /^Criar \d/ }).click();
};
const send = async (page: Page) => {
  await confirm(page);
  await page.getByRole('button', { name: 'Criar', exact: true }).click();
};

const screen = (
  name: string,
  shows: Screen['shows'],
  steps?: Screen['steps'],
  stubs: readonly StubbedCall[] = [],
): Screen => ({
  name: `subscriptions-import${name}`,
  visitor: 'merchant',
  path: '/assinaturas/nova?from=file',
  shows,
  stubs,
  ...(steps !== undefined && { steps }),
});

const register = [
  answer(listCustomers, { data: [], next: null }),
  answer(createCustomer, customer),
  answer(listSubscriptions, { data: [], next: null }),
];

/** Creates the first two, and does not answer about the third. */
const twoOfThree = (): StubbedCall => {
  const [created, unanswered] = [answer(createSubscription, waitingSubscription), stall(createSubscription)];
  return {
    endpoint: createSubscription,
    reply: (route) => (route.request().postData()?.includes('aluno-3') ? unanswered : created).reply(route),
  };
};
/** Creates the first, finds the second, and fails at the third. */
const mixed = (): readonly StubbedCall[] => {
  const [none, found] = [
    answer(listSubscriptions, { data: [], next: null }),
    answer(listSubscriptions, { data: [waitingSubscription], next: null }),
  ];
  const [created, failed] = [answer(createSubscription, waitingSubscription), fail(createSubscription)];
  return [
    {
      endpoint: listSubscriptions,
      reply: (route) => (route.request().url().includes('aluno-2') ? found : none).reply(route),
    },
    {
      endpoint: createSubscription,
      reply: (route) => (route.request().postData()?.includes('aluno-3') ? failed : created).reply(route),
    },
  ];
};

const choice = (
  name: string,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[],
  search: string,
): Screen => ({
  name: `subscriptions-new-${name}`,
  visitor: 'merchant',
  path: '/assinaturas/nova',
  shows,
  stubs,
  steps: async (page) => {
    await page.getByRole('button', { name: 'Escolher um cliente cadastrado' }).click();
    if (search !== '') await page.getByRole('searchbox').fill(search);
  },
});

/** The import of subscriptions, and the choice of a registered customer for a new one, in their states. */
export const merchantSubscriptionImport: readonly Screen[] = [
  screen('', 'Baixar modelo'),
  screen('-wrong-file', /Não achamos/, (page) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'contatos.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Nome,Telefone\nAna,81'),
    }),
  ),
  screen('-preview', 'Ana Souza', choose(good)),
  screen('-faulty', /O mesmo código está/, choose([...good, ...faulty])),
  screen('-none-ready', 'Nenhuma linha está pronta.', choose(faulty.slice(0, 1))),
  screen('-confirm', /ganha um link/, confirm),
  screen('-progress', '2 de 3 linhas prontas', send, [...register, twoOfThree()]),
  screen('-result', 'Baixar resultado (CSV)', send, [...register, ...mixed()]),
  { ...screen('-not-approved', 'Falta verificar sua identidade'), visitor: 'newcomer' },
  choice(
    'choice',
    LONG,
    [answer(listCustomers, { data: [customer, { ...customer, id: 'long', name: LONG }], next: null })],
    '',
  ),
  choice(
    'choice-none',
    'Nenhum cliente encontrado.',
    [answer(listCustomers, { data: [], next: null })],
    'zzz',
  ),
  choice('choice-error', 'Tentar Novamente', [refuse(listCustomers, 'OVERLOADED')], ''),
  {
    name: 'subscriptions-new-customer',
    visitor: 'merchant',
    path: `/assinaturas/nova?customer=${customer.id}`,
    shows: 'Não usar este cliente',
    stubs: [answer(getCustomer, { ...customer, totals: null })],
  },
];
