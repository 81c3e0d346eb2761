import { createWebhookEndpoint } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenMerchant, parseSuccess } from '../../test/given.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

test('repeated actions of a key do not suppress mails of other security events', async () => {
  const { id: userId, apiKey, token } = await givenMerchant(gateway);
  const byKey = async (method: string, path: string, body?: unknown) => {
    const answer = await gateway.api(method, `/webhooks/endpoints${path}`, body, { apiKey });
    expect(answer.status).toBeLessThan(300);
    return answer;
  };
  const url = (name: string) => ({ url: `https://example.com/${name}` });
  const { id } = parseSuccess(createWebhookEndpoint.response, await byKey('POST', '', url('one')));
  for (let count = 0; count < 22; count += 1) await byKey('POST', `/${id}/secret/rotate`);
  for (let count = 0; count < 22; count += 1) await byKey('PUT', `/${id}`, url(`moved-${count}`));
  const { db } = gateway.deps;
  await db.deleteFrom('mails').where('kind', '=', 'api-key').execute();
  for (const [method, path] of [
    ['GET', `/webhooks/endpoints/${id}/secret`],
    ['POST', '/authed/apikey'],
  ] as const)
    expect(await gateway.api(method, path, undefined, { token })).toMatchObject({ status: 200 });
  const mails = await db.selectFrom('mails').select('subject').where('user_id', '=', userId).execute();
  const bySubject = Map.groupBy(mails, ({ subject }) => subject);
  expect(Object.fromEntries([...bySubject].map(([subject, same]) => [subject, same.length]))).toEqual({
    'Segredo de webhook trocado': 20,
    'Endereço de webhook cadastrado': 1,
    'Endereço de webhook trocado': 19,
    'Segredo de webhook mostrado': 1,
    'Chave de API nova': 1,
  });
});
