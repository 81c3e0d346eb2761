import type { Stand } from './stand.ts';

const longestRestMs = 600_000;

/**
 * Opens the breaker of the silent receiver for ten minutes, as the sender does after three timeouts, so that deliveries
 * left by other figures do not delay those to the responding receiver.
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
