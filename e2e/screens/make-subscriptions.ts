import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf, shiftDay } from '../../web/src/format/date.ts';
import { callBank } from '../bank.ts';
import { callApi, type Stack } from '../stack.ts';

/** The pages on which payers allow debits, by what became of each request. */
export type SubscriptionPages = Readonly<
  Record<'waiting' | 'variable' | 'withPayment' | 'allowed' | 'cancelled', string>
>;

/** The page of a customer with everything they owe, and that of one who owes nothing. */
export type CustomerPages = Readonly<Record<'full' | 'empty', string>>;

/** Registers two customers. One of them has open charges, a paid one, and subscriptions. */
export async function makeCustomers(stack: Stack, token: string): Promise<CustomerPages> {
  const register = async (fields: object) => {
    const { id, page_url: page } = await callApi(stack, 'POST', '/customers', { token, body: fields });
    return { id: String(id), page: String(page) };
  };
  const email = 'ana@example.com';
  const full = await register({ name: 'Ana Conceição Pereira', document: '52998224725', email });
  const empty = await register({ name: 'Davi Rocha', document: '86288366757' });
  const charge = async (fields: object) =>
    callApi(stack, 'POST', '/pix/new', { token, body: { customer_id: full.id, ...fields } });
  const today = dayOf(new Date());
  await charge({ amount: 150, due_date: shiftDay(today, 5), description: 'Matrícula' });
  await charge({
    amount: 1250.4,
    due_date: shiftDay(today, 35),
    description: 'Excursão à praia de Tamandaré',
  });
  const paid = await charge({ amount: 89.9, description: 'Uniforme' });
  await callBank(stack, 'POST', '/sandbox/payments', { brCode: paid['content'] });
  for (const [description, amount] of [
    ['Mensalidade', 420],
    ['Aula de barco e remo', null],
  ] as const)
    await callApi(stack, 'POST', '/subscriptions', {
      token,
      body: {
        customer_id: full.id,
        description,
        amount,
        period: 'monthly',
        first_day: shiftDay(today, 20),
        authorization: 'code',
      },
    });
  return { full: full.page, empty: empty.page };
}

/** Asks payers for subscriptions: some wait, one is allowed at the bank, and one is cancelled. */
export async function makeSubscriptions(stack: Stack, token: string): Promise<SubscriptionPages> {
  const make = async (fields: object) => {
    const body = {
      payer: { name: 'Ana Conceição Pereira', document: '52998224725' },
      description: 'Clube da rede de algodão',
      amount: 89.9,
      period: 'monthly',
      first_day: shiftDay(dayOf(new Date()), 20),
      authorization: 'code',
      ...fields,
    };
    const created = await callApi(stack, 'POST', '/subscriptions', { token, body });
    return { id: String(created['id']), page: String(created['page_url']) };
  };
  const read = (id: string) => callApi(stack, 'GET', `/subscriptions/${id}`, { token });
  /** The bank knows it only a moment after it was asked for. */
  const codeOf = async (id: string): Promise<string> => {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const { code } = await read(id);
      if (typeof code === 'string') return code;
      await sleep(100);
    }
    throw new Error('The bank has made no code for the subscription');
  };
  const allowed = await make({});
  await callBank(stack, 'POST', '/sandbox/recs', { brCode: await codeOf(allowed.id) });
  const cancelled = await make({});
  await codeOf(cancelled.id);
  await callApi(stack, 'POST', `/subscriptions/${cancelled.id}/cancel`, { token });
  const waiting = [
    await make({}),
    await make({ amount: null, min_maximum: 50 }),
    await make({ authorization: 'pay' }),
  ] as const;
  for (const { id } of waiting) await codeOf(id);
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await read(allowed.id))['status'] === 'active') break;
    await sleep(100);
  }
  return {
    waiting: waiting[0].page,
    variable: waiting[1].page,
    withPayment: waiting[2].page,
    allowed: allowed.page,
    cancelled: cancelled.page,
  };
}
