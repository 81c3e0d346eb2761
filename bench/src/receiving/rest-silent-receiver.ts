import type { Stand } from './stand.ts';

const longestRestMs = 600_000;

/**
 * Does what the sender itself does about a receiver that let it wait three times: for ten minutes it is left in peace.
 * What other figures left for it does not stand in the way of webhooks that are answered.
 */
export async function restSilentReceiver({ pool, bank, callbackUrls }: Stand): Promise<void> {
  const until = new Date((await bank.now()).getTime() + longestRestMs);
  await pool.query(
    `insert into webhook_breakers (merchant_id, endpoint, timeouts, open_until)
     select id, $1, 7, $2 from users where id > 0
     on conflict (merchant_id, endpoint) do update set open_until = excluded.open_until`,
    [new URL(callbackUrls.silent).origin, until],
  );
}
