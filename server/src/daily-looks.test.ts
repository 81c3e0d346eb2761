import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import { givenMerchant } from '../test/given.ts';
import { givenConnection } from '../test/given-connection.ts';
import { mailsTo, sendQueuedMails } from '../test/mailbox.ts';
import { dailyLookLoops } from './daily-looks.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

test('an account whose notices another system takes is still read once a day, and its owner is told', async () => {
  const merchant = await givenMerchant(gateway);
  const { id } = await givenConnection(gateway, merchant);
  const bank = gateway.deps.banks.of(id);
  const theirs = 'https://outro.example/avisos/segredo-deles';
  await bank.psp.registerNoticeUrl(theirs);
  const received = vi.spyOn(bank.psp, 'listReceivedPix');
  for (const { work } of dailyLookLoops) await work(gateway.deps);
  await expect.poll(readMailSubjects).toContain('Outro sistema recebe os avisos da sua conta');
  expect(received).toHaveBeenCalled();
  expect(await bank.psp.findNoticeUrl()).toBe(theirs);

  async function readMailSubjects(): Promise<string[]> {
    await sendQueuedMails(gateway);
    const address = `${merchant.username.replace('loja-', '')}@example.com`;
    return (await mailsTo(gateway, address)).map(({ subject }) => subject);
  }
});
