import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf, shiftDay } from '../../web/src/format/date.ts';
import { callBank } from '../bank.ts';
import { callApi, type Stack } from '../stack.ts';

/** The pages on which payers allow debits, by what became of each request. */
export type SubscriptionPages = Readonly<
  Record<'waiting' | 'variable' | 'withPayment' | 'allowed' | 'cancelled', string>
>;

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
