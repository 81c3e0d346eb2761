import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import type { PspConfig } from '../config.ts';
import {
  type AddressRules,
  FetchFailed,
  failureFrom,
  guardedConnector,
  resolveName,
} from '../guarded-fetch/index.ts';
import { describeConnection } from './bank-failure.ts';
import { type PlannedStep, passed, type StepResult } from './run-steps.ts';

const connectTimeoutMs = 5000;

type ReachableBank = {
  readonly psp: PspConfig;
  /** Where the bank may be; undefined for anywhere. */
  readonly addressRules: AddressRules | undefined;
};

/** The steps from the bank's address to a secure connection. */
export function planReaching(bank: ReachableBank): PlannedStep[] {
  const urls = [...new Set([bank.psp.baseUrl, bank.psp.tokenUrl].map((url) => new URL(url).origin))].map(
    (origin) => new URL(origin),
  );
  const hosts = urls.map(({ host }) => host).join(' e ');
  return [
    {
      id: 'name',
      title: 'O endereço do banco existe',
      asked: `Resolver o nome ${hosts}.`,
      needs: [],
      isEssential: true,
      run: async () => {
        for (const { hostname } of urls) await resolve(hostname, bank.addressRules);
        return passed('O nome leva a um servidor.', 'O endereço do banco está certo.');
      },
    },
    {
      id: 'tls',
      title: 'A conexão é segura (TLS)',
      asked: `Abrir uma conexão segura com ${hosts} e conferir o certificado do servidor.`,
      needs: ['name'],
      isEssential: true,
      run: async () => {
        const results: StepResult[] = [];
        for (const url of urls) results.push(await checkTls(url, bank));
        return results.find(({ state }) => state !== 'passed') ?? results[0] ?? passed('', '');
      },
    },
  ];
}

async function resolve(hostname: string, rules: AddressRules | undefined): Promise<void> {
  const name = withoutBrackets(hostname);
  if (isIP(name) !== 0) return;
  // As the client does: names of the settings may stand in the machine's own list of hosts.
  const addresses =
    rules === undefined ? await lookup(name, { all: true }).catch(() => []) : await resolveName(name);
  if (addresses.length === 0) throw new FetchFailed('name-not-found');
}

async function checkTls(url: URL, bank: ReachableBank): Promise<StepResult> {
  if (url.protocol === 'http:')
    return {
      state: 'skipped',
      answered: 'O endereço é http://, sem TLS.',
      meaning: 'Só um banco de testes nesta máquina pode ser chamado assim.',
    };
  try {
    const socket = await open(url, bank);
    const protocol = socket instanceof TLSSocket ? socket.getProtocol() : null;
    socket.destroy();
    return passed(
      `A conexão usa ${protocol ?? 'TLS'}, e o certificado do servidor vale para ${url.hostname}.`,
      'Ninguém entre este gateway e o banco lê ou muda o que passa.',
    );
  } catch (error) {
    if (isAboutOurCertificate(error))
      return passed(
        'O servidor respondeu por TLS, e recusou o certificado de cliente.',
        'A conexão é segura. O passo seguinte trata do certificado.',
      );
    const { reason } = failureFrom(error);
    const serverProblem =
      reason === 'tls-failed' ? serverProblems.find(([code]) => code.test(codeOf(error))) : undefined;
    const { answered, meaning } = describeConnection(reason);
    return { state: 'failed', answered: serverProblem?.[1] ?? answered, meaning };
  }
}

/** Opens a connection as the client of the bank does, with our client certificate. */
function open(url: URL, { psp, addressRules }: ReachableBank): Promise<Socket> {
  const tls = psp.tls && { secureContext: createSecureContext(psp.tls) };
  const connect =
    addressRules === undefined
      ? buildConnector({ timeout: connectTimeoutMs, allowH2: false, ...tls })
      : guardedConnector(addressRules, resolveName, tls);
  const { protocol, host, hostname, port } = url;
  return new Promise((resolve, reject) => {
    connect({ protocol, host, hostname: withoutBrackets(hostname), port }, (...[error, socket]) =>
      error === null ? resolve(socket) : reject(error),
    );
  });
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether the bank ended the handshake because of the client certificate: it says so by an alert of TLS. */
export function isAboutOurCertificate(error: unknown): boolean {
  return /_ALERT_(?!PROTOCOL|INTERNAL|UNRECOGNIZED)/.test(codeOf(error));
}

const serverProblems: readonly (readonly [RegExp, string])[] = [
  [/CERT_HAS_EXPIRED/, 'O certificado do servidor do banco venceu.'],
  [/ALTNAME|HOSTNAME/, 'O certificado do servidor é de outro endereço.'],
  [
    /SELF_SIGNED|DEPTH_ZERO|UNABLE_TO/,
    'O certificado do servidor não foi emitido por uma autoridade que este gateway conhece.',
  ],
];

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
