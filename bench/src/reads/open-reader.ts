import { type QueryInput, transactionFeed } from '@jangada/contract';
import type { Client } from 'undici';
import { password } from './payments-database.ts';
import { daysAgo, pathOf, type Reader } from './reads.ts';
import { fetchText, signIn } from './with-gateway.ts';

/** The merchants' payments are spread over two years. */
const paymentDays = 720;

/**
 * Signs a merchant in, and collects the parameters of the merchant's reads from the feed of transactions: as many
 * cursors as `depths` says, spread over `paymentDays`, and one paid payment to search for.
 */
export async function openReader(
  client: Client,
  userId: number,
  username: string,
  depths: number,
): Promise<Reader> {
  const token = await signIn(client, username, password);
  const feed = async (query: QueryInput<typeof transactionFeed>) =>
    transactionFeed.response.parse(
      JSON.parse(await fetchText(client, token, pathOf({ endpoint: 'feed', query }))),
    );
  const cursors: string[] = [];
  for (let depth = 0; depth < depths; depth += 1) {
    const { next } = await feed({ to: daysAgo(Math.floor((paymentDays * depth) / depths)), limit: 1 });
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
