import type { Stand } from '../receiving/stand.ts';
import type { ToldEvent } from './judge-calls.ts';
import type { ReceivedCall } from './receivers-protocol.ts';

/** Compares the gateway's stored deliveries and attempts with the calls received, after it has stopped. */
export async function verifyDeliveries(
  { pool }: Stand,
  told: readonly ToldEvent[],
  calls: readonly ReceivedCall[],
): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; count: number }>(`
    select 'deliveries that were taken' as name, count(*)::int from webhook_deliveries where state = 'delivered'
    union all select 'deliveries given up', count(*)::int from webhook_deliveries
                     where state not in ('delivered', 'waiting')
    union all select 'attempts answered 204', count(*)::int from webhook_attempts where status = 204
    union all select 'attempts answered 500', count(*)::int from webhook_attempts where status = 500`);
  const kept = new Map(rows.map(({ name, count }) => [name, count]));
  const answered = (status: number) => calls.filter((call) => call.status === status).length;
  const wanted = {
    'deliveries that were taken': told.filter(({ behaviour }) => behaviour === 'well').length,
    'deliveries given up': 0,
    'attempts answered 204': answered(204),
    'attempts answered 500': answered(500),
  };
  return Object.entries(wanted).flatMap(([name, count]) =>
    kept.get(name) === count ? [] : [`${name}: ${kept.get(name)}, wanted ${count}`],
  );
}
