import { freezeUser } from '../admin/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAccount, hashPassword } from '../identity/index.ts';
import { decideKyc, sendDocuments } from '../kyc/index.ts';
import { seededChance } from './chance.ts';
import { drawDocuments } from './draw-documents.ts';
import type { PastDeps } from './past.ts';
import { generateCnpj, generateCpf } from './shop.ts';

/**
 * A fictional person or company of the demo, which fills a sandbox's first start with two months of business. These
 * accounts give administrators something to look at; nobody knows their passwords.
 */
export type DemoPerson = {
  /** The age of the account. */
  readonly daysAgo: number;
  readonly username: string;
  readonly name: string;
  readonly docType: 'CPF' | 'CNPJ';
  readonly approved?: true;
  /** The state of the identity documents that the person sent; undefined if none were sent. */
  readonly documents?: 'waiting' | 'rejected';
  readonly frozenDaysAgo?: number;
};

/** The second merchant of the demo, which unlike the `people` below has sales. */
export const studio: DemoPerson = {
  daysAgo: 45,
  username: 'atelie.cajueiro',
  name: 'Ateliê Cajueiro Ltda',
  docType: 'CNPJ',
  approved: true,
};
export const people: readonly DemoPerson[] = [
  { daysAgo: 33, username: 'rute.lacerda', name: 'Rute Lacerda Barros', docType: 'CPF', approved: true },
  {
    daysAgo: 28,
    username: 'elias.feitosa',
    name: 'Elias Feitosa Guedes',
    docType: 'CPF',
    approved: true,
    frozenDaysAgo: 6,
  },
  { daysAgo: 10, username: 'caio.tavares', name: 'Caio Tavares Lins', docType: 'CPF', documents: 'rejected' },
  { daysAgo: 3, username: 'mare.mansa', name: 'Pousada Maré Mansa Ltda', docType: 'CNPJ' },
  { daysAgo: 2, username: 'nair.uchoa', name: 'Nair Uchôa Macedo', docType: 'CPF', documents: 'waiting' },
  { daysAgo: 1, username: 'silvio.paes', name: 'Sílvio Paes Brandão', docType: 'CPF', documents: 'waiting' },
  { daysAgo: 0, username: 'jurema.veloso', name: 'Jurema Veloso Sá', docType: 'CPF' },
];

/** Creates a person's account; returns its id. */
export async function openAccount(past: PastDeps, person: DemoPerson): Promise<number> {
  const { username, name, docType, daysAgo, approved = false } = person;
  // A seed of its own gives each person another document.
  const chance = seededChance(1000 + daysAgo);
  const document = docType === 'CPF' ? generateCpf(chance) : generateCnpj(chance);
  passwordHash ??= hashPassword(crypto.randomUUID());
  const account = {
    username,
    name,
    docType,
    document,
    email: `${username}@example.com`,
    approved,
    // The fee on received payments, in hundredths of a percent.
    inRate: 99,
    passwordHash: await passwordHash,
  };
  return inTransaction(past, (tx) => createAccount(tx, account));
}

/** The hash of one random password for all these accounts, because hashing is slow. */
let passwordHash: Promise<string> | undefined;

/** Sends pictures of the person's documents for an administrator's review. */
export async function sendDocumentsOf(past: PastDeps, userId: number, { name }: DemoPerson): Promise<void> {
  await sendDocuments(past, userId, await drawDocuments(name));
}

export async function rejectDocuments(past: PastDeps, userId: number, actorId: number): Promise<void> {
  const reason = 'A foto da frente está cortada. Envie outra em que o documento apareça inteiro.';
  await decideKyc(past, { actorId, userId, submissionId: undefined, status: 'rejected', reason });
}

export async function freezeAccount(past: PastDeps, userId: number, actorId: number): Promise<void> {
  await freezeUser(past, { actorId, userId, reason: 'Pedido do titular, que perdeu o celular.' });
}
