// Sends webhooks until it is killed: node webhook-process.ts DATABASE_URL MASTER_KEY_HEX
import { pino } from 'pino';
import { machineClock } from '../src/clock.ts';
import { createDb, createPool } from '../src/db/pool.ts';
import { createAddressRules, createGuardedFetch } from '../src/guarded-fetch/index.ts';
import { createSecrets } from '../src/secrets.ts';
import { createWebhookSender } from '../src/webhooks/index.ts';

const [url = '', masterKey = ''] = process.argv.slice(2);
createWebhookSender({
  db: createDb(createPool({ url })),
  clock: machineClock,
  log: pino({ level: 'silent' }),
  secrets: createSecrets(Buffer.from(masterKey, 'hex')),
  fetch: createGuardedFetch({
    rules: createAddressRules({ mode: 'sandbox', sandboxPublic: false, webhookAllowCidrs: [] }),
  }),
}).start();
