import { type QueryInput, transactionFeed } from '@jangada/contract';
import type { Client } from 'undici';
import { get, signIn } from './ask-gateway.ts';
import { password } from './payments-database.ts';
import { daysAgo, pathOf, type Reader } from './reads.ts';

/** Signs a merchant in, and collects from the feed the parameters of its reads. */
export async function openReader(
  client: Client,
  userId: number,
  username: string,
  depths: number,
): Promise<Reader> {
  const token = await signIn(client, username, password);
  const feed = async (query: QueryInput<typeof transactionFeed>) =>
    transactionFeed.response.parse(JSON.parse(await get(client, token, pathOf({ of: 'feed', query }))));
  const cursors: string[] = [];
  for (let depth = 0; depth < depths; depth += 1) {
    const { next } = await feed({ to: daysAgo(Math.floor((720 * depth) / depths)), limit: 1 });
    if (next !== null) cursors.push(next);
  }
  const { counts } = await feed({});
  const [payment] = (await feed({ to: daysAgo(200), status: 'paid' })).data;
  if (payment === undefined || payment.end_to_end_id === null)
    throw new Error(`${username} has no payments.`);
  return {
    userId,
    token,
    total: counts.all,
    paid: counts.paid,
    cursors,
    id: payment.id,
    endToEndId: payment.end_to_end_id,
    price: payment.amount.toFixed(2).replace('.', ','),
  };
}
