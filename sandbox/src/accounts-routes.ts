import { randomUUID } from 'node:crypto';
import { isCanonicalPixKey, isCnpj } from '@jangada/pix';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from './accounts.ts';
import type { Bank } from './bank.ts';
import { SandboxRefusal } from './refusal.ts';

/** A text that still has a letter or digit in a code, whose texts are reduced to ASCII. */
const codeText = z
  .string()
  .trim()
  .max(200)
  .regex(/[\dA-Za-z]/);

const requestSchema = z.strictObject({
  name: codeText,
  /** A CNPJ, without punctuation. */
  document: z
    .string()
    .length(14)
    .refine((text) => isCnpj(text)),
  city: codeText,
  /** By default a random key. */
  key: z.string().refine(isCanonicalPixKey).optional(),
});

/** Calls that open accounts, list them, and say how to connect to one. */
export function accountsRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.get('/sandbox/accounts', async () => {
    await accounts.untilDurable();
    return accounts.all.map(formatBank);
  });
  app.post('/sandbox/accounts', async (request, reply) => {
    const { data, error } = requestSchema.safeParse(request.body);
    if (data === undefined) {
      const fields = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
      throw new SandboxRefusal('INVALID_REQUEST', `A conta não pode ser lida: ${fields}`);
    }
    const { ispb } = accounts.first.account;
    const bank = await accounts.add({ ...data, key: data.key ?? randomUUID(), ispb });
    return reply.status(201).send({ ...formatBank(bank), ...formatAccess(bank) });
  });
  app.get<{ Params: { id: string } }>('/sandbox/accounts/:id/credentials', async (request) => {
    const bank = accounts.named(request.params.id);
    if (bank === undefined) throw new SandboxRefusal('NOT_FOUND', 'Esta conta não existe.');
    if (bank === accounts.first) {
      throw new SandboxRefusal(
        'NOT_FOUND',
        'As credenciais da primeira conta estão na configuração do banco.',
      );
    }
    return formatAccess(bank);
  });
}

function formatBank({ id, account, books }: Bank): object {
  return { id, ...account, balance: books.balanceCents / 100 };
}

/** Formats what a client needs to connect: `baseUrl` is the API Pix with its version. */
function formatAccess({ clientId, clientSecret, site }: Bank): object {
  const { apiUrl } = site;
  return { clientId, clientSecret, baseUrl: `${apiUrl}/v2`, tokenUrl: `${apiUrl}/oauth/token` };
}
