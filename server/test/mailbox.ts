import { type ResponseOf, sandboxMails } from '@jangada/contract';
import { expect } from 'vitest';
import { sendMails } from '../src/mail/send-mails.ts';
import type { TestGateway } from './gateway.ts';
import { parseSuccess } from './given.ts';

export type KeptMail = ResponseOf<typeof sandboxMails>['mails'][number];

/** The mails in the sandbox's mailbox for an address, newest first. */
export async function mailsTo(gateway: TestGateway, address: string): Promise<KeptMail[]> {
  const { mails } = parseSuccess(sandboxMails.response, await gateway.api('GET', '/sandbox/mails'));
  return mails.filter(({ to }) => to === address);
}

/** The token in a mail's link. */
export function tokenIn({ text }: Pick<KeptMail, 'text'>): string {
  const [, token] = /\?token=([\w-]+)/.exec(text) ?? [];
  if (token === undefined) throw new Error(`There is no link in this mail:\n${text}`);
  return token;
}

/** Sends all queued mails now, because the background work would take a second or two. */
export async function sendQueuedMails({ deps }: TestGateway): Promise<void> {
  const due = () => deps.db.selectFrom('mails').select('id').where('due_at', 'is not', null).execute();
  const work = async () => {
    await sendMails(deps);
    return due();
  };
  await expect.poll(work, { interval: 10 }).toEqual([]);
}
