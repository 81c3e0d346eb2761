import { randomUUID } from 'node:crypto';
import { isCanonicalPixKey, isCnpj } from '@jangada/pix';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from './accounts.ts';
import type { Bank } from './bank.ts';
import { clientSettingsOf } from './client-settings.ts';
import { SandboxRefusal } from './refusal.ts';

/** A text that still has a letter or digit in a code, whose texts are reduced to ASCII. */
const codeText = (message: string) =>
  z
    .string(message)
    .trim()
    .max(200, message)
    .regex(/[\dA-Za-z]/, message);

const requestSchema = z.strictObject(
  {
    name: codeText('Informe o nome do titular, com até 200 caracteres.'),
    /** A CNPJ, without punctuation. */
    document: z
      .string('Informe o CNPJ do titular.')
      .refine((text) => text.length === 14 && isCnpj(text), 'O CNPJ do titular não é válido.'),
    city: codeText('Informe a cidade do titular, com até 200 caracteres.'),
    /** By default a random key. */
    key: z
      .string('Informe a chave Pix como texto.')
      .refine(
        isCanonicalPixKey,
        'A chave Pix deve ser um CPF, CNPJ, e-mail, celular com +55 ou chave aleatória.',
      )
      .optional(),
  },
  'Envie um objeto com name, document, city e, se quiser, key.',
);

/** Calls that open accounts, list them, and say how to connect to one. */
export function accountsRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.get('/sandbox/accounts', async () => {
    await accounts.untilDurable();
    return accounts.all.map(formatBank);
  });
  app.post('/sandbox/accounts', async (request, reply) => {
    const { data, error } = requestSchema.safeParse(request.body);
    if (data === undefined) {
      throw new SandboxRefusal('INVALID_REQUEST', error.issues.map(({ message }) => message).join(' '));
    }
    const { ispb } = accounts.first.account;
    const bank = await accounts.add({ ...data, key: data.key ?? randomUUID(), ispb });
    return reply.status(201).send({ ...formatBank(bank), ...clientSettingsOf(bank) });
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
    return clientSettingsOf(bank);
  });
}

function formatBank({ id, account, books }: Bank): object {
  return { id, ...account, balance: books.balanceCents / 100 };
}
