import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { startSilentProxy } from '../../test/silent-proxy.ts';
import { createListener } from './listener.ts';

test('a listener whose connection has gone silent hears again, and knows that it missed messages', async () => {
  const database = await createTestDatabase();
  const proxy = await startSilentProxy(database.appUrl);
  const direct = new pg.Client({ connectionString: database.appUrl });
  await direct.connect();
  const listener = createListener({
    url: proxy.url(database.appUrl),
    log: pino({ level: 'silent' }),
  });
  const heard: string[] = [];
  let gaps = 0;
  listener.on('news', (payload) => heard.push(payload));
  listener.onGap(() => {
    gaps += 1;
  });
  await listener.start();
  proxy.silenceOpen();
  await direct.query("notify news, 'missed'");
  await expect.poll(() => gaps).toBe(1);
  await direct.query("notify news, 'heard'");
  await expect.poll(() => heard).toEqual(['heard']);
  await listener.stop();
  await direct.end();
  await proxy.stop();
  await database.drop();
});
