import { setTimeout as sleep } from 'node:timers/promises';
import type { MemberRole } from '@jangada/contract';
import { randomCpf } from '../server/test/random-cpf.ts';
import { callApi, PASSWORD, type Stack } from './stack.ts';

/** Reads the link of the newest invitation to an address from the sandbox's mails; undefined until it has arrived. */
export async function findInvitationLink(
  stack: Pick<Stack, 'url'>,
  email: string,
): Promise<string | undefined> {
  const { mails } = await callApi(stack, 'GET', '/sandbox/mails');
  const [mail] = (mails as { to: string; text: string }[]).filter(
    ({ to, text }) => to === email && text.includes('/convite?'),
  );
  return /https?:\/\/\S+\/convite\?token=[\w-]+/.exec(mail?.text ?? '')?.[0];
}

/** The same, once the mail has been sent. */
async function awaitInvitationLink(stack: Pick<Stack, 'url'>, email: string): Promise<string> {
  const untilMs = performance.now() + TIMEOUT_MS;
  while (performance.now() < untilMs) {
    const link = await findInvitationLink(stack, email);
    if (link !== undefined) return link;
    await sleep(100);
  }
  throw new Error(`No invitation to ${email} was mailed.`);
}

const TIMEOUT_MS = 60_000;

type NewMember = { readonly username: string; readonly name: string; readonly role: MemberRole };

/**
 * Registers somebody who accepts an invitation of the owner with this token and password. Returns the token of a session
 * that acts for the owner's account.
 */
export async function addMember(
  stack: Pick<Stack, 'url'>,
  owner: { readonly token: string; readonly password: string },
  { username, name, role }: NewMember,
): Promise<string> {
  const email = `${username}@example.com`;
  await callApi(stack, 'POST', '/authed/confirm-password', {
    token: owner.token,
    body: { password: owner.password },
  });
  await callApi(stack, 'POST', '/authed/member-invitations', { token: owner.token, body: { email, role } });
  const link = await awaitInvitationLink(stack, email);
  const person = { username, name, document: randomCpf(), doctype: 'cpf', email, password: PASSWORD };
  const { token } = await callApi(stack, 'POST', '/register', { body: person });
  const linkToken = new URL(link).searchParams.get('token');
  const accepted = await callApi(stack, 'POST', '/authed/invitations/accept', {
    token,
    body: { token: linkToken },
  });
  const { account_id } = accepted['account'] as { account_id: string };
  await callApi(stack, 'POST', '/authed/accounts/enter', { token, body: { account_id } });
  return String(token);
}
