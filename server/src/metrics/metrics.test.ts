import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenCharge, givenMerchant } from '../../test/given.ts';
import { readConfig } from '../config.ts';
import { connectBank } from '../psp/index.ts';
import { createMetrics, serveMetrics } from './index.ts';

let gateway: TestGateway;
let stop: () => Promise<void>;
let url: string;

beforeAll(async () => {
  const metrics = createMetrics(readConfig({}));
  gateway = await startTestGateway({ beforeListening: ({ server }) => metrics.measureResponses(server) });
  const psp = connectBank(gateway.deps.config, { onExchange: metrics.recordBankExchange });
  const pools = { calls: { totalCount: 5, idleCount: 2, waitingCount: 1 } };
  const at = { host: '127.0.0.1', port: 0 };
  const metricsServer = await serveMetrics(gateway.deps, {
    metrics,
    work: { healthy: () => true },
    writes: async () => 'ok',
    pools,
    listenAddress: at,
  });
  url = `http://127.0.0.1:${metricsServer.port}/metrics`;
  await psp.findNoticeUrl();
  await psp.findReceivedPix('E00000000202611220000abcdefghijk');
  stop = async () => {
    await metricsServer.stop();
    await psp.close();
  };
});
afterAll(async () => {
  await stop?.();
  await gateway?.stop();
});

async function readMetrics(): Promise<string> {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  return answer.text();
}

test('queues, the stop of payouts, connections and calls to the bank are exported', async () => {
  const text = await readMetrics();
  expect(text).toContain('jangada_database_up 1');
  expect(text).toContain('jangada_queue_waiting{queue="notices"} 0');
  expect(text).toContain('jangada_payouts_stopped 0');
  expect(text).toContain('jangada_broken_connections 0');
  expect(text).toContain('jangada_database_connections{pool="calls",state="busy"} 3');
  expect(text).toMatch(
    /jangada_bank_exchange_duration_seconds_count\{operation="POST oauth\/token",outcome="2xx"\} 1/,
  );
  expect(text).toMatch(
    /jangada_bank_exchange_duration_seconds_count\{operation="GET webhook",outcome="2xx"\} 1/,
  );
  expect(text).toMatch(
    /jangada_bank_exchange_duration_seconds_count\{operation="GET pix\/\{endToEndId\}",outcome="4xx"\} 1/,
  );
  expect(text).not.toMatch(/^jangada_bank_certificate_end_timestamp_seconds /m);
});

test('metrics are labelled by route, without callers or ids; unknown addresses share one label', async () => {
  const merchant = await givenMerchant(gateway);
  const { id } = await givenCharge(gateway, merchant);
  await gateway.api('GET', `/pix/status/${id}`, undefined, { apiKey: merchant.apiKey });
  await gateway.api('GET', '/wp-login.php/stranger').catch(() => {});
  const text = await readMetrics();
  expect(text).toContain('method="GET",route="/api/pix/status/:id",status="200"');
  expect(text).toContain('method="none",route="none",status="404"');
  for (const secret of [id, merchant.username, merchant.apiKey, 'stranger'])
    expect(text).not.toContain(secret);
});

const opsPath = (path: string) => fileURLToPath(new URL(`../../../ops/${path}`, import.meta.url));
const namesIn = (text: string) => text.match(/\b(?:jangada|nodejs|process)_[a-z0-9_]+/g) ?? [];

test('every metric in alerts and runbooks is exported, and every alert has its runbook', async () => {
  const exportedNames = new Set(
    [...(await readMetrics()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name),
  );
  const isExported = (name: string) =>
    exportedNames.has(name) || exportedNames.has(name.replace(/_(bucket|count|sum)$/, ''));
  const alerts = readFileSync(opsPath('alerts.yml'), 'utf8');
  const runbooks = readdirSync(opsPath('runbooks')).map((file) => ({
    path: `ops/runbooks/${file}`,
    text: readFileSync(opsPath(`runbooks/${file}`), 'utf8'),
  }));
  const alertRules = alerts.split(/^ {6}- alert: /m).slice(1);
  for (const alert of alertRules) {
    const [name = ''] = alert.split('\n');
    expect(namesIn(alert).length + Number(name === 'JangadaDown'), name).toBeGreaterThan(0);
    const path = /runbook: (\S+)/.exec(alert)?.[1];
    expect(runbooks.find((runbook) => runbook.path === path)?.text, `${name} → ${path}`).toContain(name);
  }
  expect(alertRules.length).toBeGreaterThan(20);
  const usedNames = [alerts, ...runbooks.map(({ text }) => text)].flatMap(namesIn);
  expect(usedNames.filter((name) => !isExported(name))).toEqual([]);
});
