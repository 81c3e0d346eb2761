import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { formatDay } from '../calendar-day.ts';
import { Refusal } from '../refusal.ts';
import { runChild } from '../run-child.ts';
import { createWorkQueue } from '../work-queue.ts';

/** A client certificate with its key, as a merchant sends it. */
export type SentCertificate = {
  /** PKCS#12, or PEM with the certificate and possibly its key. */
  readonly certificate: Buffer;
  /** The key of a PEM certificate, if it is a file of its own. */
  readonly key?: Buffer | undefined;
  readonly password?: string | undefined;
};

/** The certificate with its chain, and its key without a password. Whom to trust is never the merchant's to say. */
export type OwnTls = { readonly cert: Buffer; readonly key: Buffer };

export type ReadCertificate = {
  /** Both as PEM. */
  readonly tls: OwnTls;
  /** Whom the certificate names, as screens show it. */
  readonly holder: string;
  /** SHA-256, in hexadecimal. */
  readonly fingerprint: string;
  readonly expiresAt: Date;
};

const readerPath = fileURLToPath(new URL('./certificate-reader.ts', import.meta.url));
const defaultTimeoutMs = 10_000;
const maxHolderLength = 200;
const readInQueue = createWorkQueue({ parallel: 2, waiting: 20 });

const problems = {
  'not-a-certificate':
    'O arquivo não é um certificado. Envie o .p12 ou .pfx do banco, ou o certificado em PEM.',
  'wrong-password': 'A senha do certificado está errada.',
  'needs-password': 'O certificado está protegido por senha. Informe a senha dele.',
  'no-key': 'Falta a chave privada do certificado. Envie o .p12 ou .pfx, ou também o arquivo da chave.',
  'no-certificate': 'O arquivo tem a chave privada, mas não o certificado. Envie também o certificado.',
  'foreign-key': 'A chave privada não é deste certificado. Envie os dois arquivos da mesma emissão.',
  'old-encryption':
    'O arquivo usa uma criptografia antiga, que não é mais aceita. Exporte o certificado de novo, ou envie em PEM.',
  'unusual-file':
    'O arquivo guarda a chave de um jeito incomum. Exporte o certificado de novo, ou envie em PEM.',
  'costly-key':
    'A chave do certificado é grande demais. Emita o certificado com uma chave comum, como RSA de 2048 ou 4096 bits.',
  'too-costly': 'O certificado leva tempo demais para abrir. Exporte-o de novo, com as opções normais.',
} as const;
const problemNames = z.enum(Object.keys(problems) as (keyof typeof problems)[]);

const bytes = z.instanceof(Uint8Array).transform((array) => Buffer.from(array));
const replySchema = z.union([
  z.object({ problem: problemNames }),
  z.object({
    tls: z.object({ cert: bytes, key: bytes }),
    holder: z.string(),
    fingerprint: z.string(),
    validFrom: z.number(),
    expiresAt: z.number(),
  }),
]);

/**
 * Reads a client certificate in a separate process, because an encrypted file may demand hours of computation before it
 * opens. Refused with CERTIFICATE_INVALID, with a message that says what is wrong, if it is not a certificate with its
 * key that is valid now; with OVERLOADED when too many are waiting.
 */
export async function readCertificate(
  file: SentCertificate,
  now: Date,
  { timeoutMs = defaultTimeoutMs }: { timeoutMs?: number } = {},
): Promise<ReadCertificate> {
  const reply = await readInQueue(() => askReader(file, timeoutMs));
  if ('problem' in reply) throw invalid(problems[reply.problem]);
  const expiresAt = new Date(reply.expiresAt);
  if (expiresAt <= now)
    throw invalid(`O certificado venceu em ${formatDay(expiresAt)}. Emita outro no banco.`);
  if (reply.validFrom > now.getTime())
    throw invalid('O certificado ainda não vale: a validade dele começa depois.');
  const { tls, fingerprint, holder } = reply;
  return { tls, holder: holder.replace(/\p{Cc}/gu, ' ').slice(0, maxHolderLength), fingerprint, expiresAt };
}

function invalid(message: string): Refusal {
  return new Refusal('CERTIFICATE_INVALID', { message });
}

async function askReader(
  { certificate, key, password = '' }: SentCertificate,
  timeoutMs: number,
): Promise<z.infer<typeof replySchema>> {
  const reply = await runChild(readerPath, { certificate, key, password }, timeoutMs);
  return reply === undefined ? { problem: 'too-costly' } : replySchema.parse(reply);
}
