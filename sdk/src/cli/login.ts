import { JangadaError } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { createClient, type GatewayAccess, readSettings, readUrl } from './gateway.ts';
import { isPrivateHost } from './private-address.ts';
import { configFile, defaultProfile, readProfile, storeProfile } from './profile.ts';
import { readArguments } from './read-arguments.ts';
import { createPrompt, printLine } from './terminal.ts';

/** Asks for a gateway and a key, tests the key, and stores both. */
export async function login(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { url: { type: 'string' }, key: { type: 'string' } });
  if (positionals.length > 0)
    throw new CommandFailure(`login não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const { profile = defaultProfile } = values;
  const access = await askAccess(values, readProfile(profile)?.url);
  const { bankUrl } = await readSettings(access.url);
  const abilities = await probeScopes(access);
  storeProfile(profile, { ...readProfile(profile), ...access });
  printLine(`Conectado a ${access.url} (${bankUrl === undefined ? 'dinheiro de verdade' : 'sandbox'}).`);
  for (const { scope, label, isAllowed } of abilities)
    printLine(isAllowed ? `  sim  ${label}` : `  não  ${label}: falta o escopo ${scope}`);
  printLine(`Guardado em ${configFile()}, perfil ${profile}.`);
}

/** Deletes a profile's stored key and secret. */
export async function logout(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {});
  if (positionals.length > 0)
    throw new CommandFailure(`logout não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const { profile = defaultProfile } = values;
  if (readProfile(profile) === undefined)
    throw new CommandFailure(`Não há nada guardado no perfil ${profile}.`);
  storeProfile(profile, undefined);
  printLine(
    `O perfil ${profile} foi esquecido aqui. A chave continua valendo: revogue-a no painel se não a usa mais.`,
  );
}

type LoginOptions = { readonly url?: string | undefined; readonly key?: string | undefined };

async function askAccess(options: LoginOptions, lastUrl = 'http://localhost:3000'): Promise<GatewayAccess> {
  const prompt = options.url === undefined || options.key === undefined ? createPrompt() : undefined;
  try {
    const typedUrl = options.url ?? (await prompt?.ask(`Endereço do gateway [${lastUrl}]: `));
    const url = readUrl(typedUrl || lastUrl);
    if (url.startsWith('http:') && !(await isPrivateHost(new URL(url))))
      throw new CommandFailure(
        `Por http a chave iria à vista de todos até ${url}. Use https.`,
        USAGE_EXIT_CODE,
      );
    const key = options.key ?? (await prompt?.ask('Chave de API (não aparece): ', { hidden: true })) ?? '';
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new CommandFailure('Informe a chave de API, como o painel a mostra.', USAGE_EXIT_CODE);
    return { url, key };
  } finally {
    prompt?.close();
  }
}

/** An action, the scope that it needs, and whether the key has that scope. */
type KeyAbility = { readonly scope: string; readonly label: string; readonly isAllowed: boolean };

const unknownPaymentId = '00000000-0000-4000-8000-000000000000';

/**
 * Tests the scopes of a key with calls that change nothing. Two of them are about a payment that does not exist: if the
 * key has the scope, the gateway refuses such a call only because it does not find the payment.
 */
async function probeScopes(access: GatewayAccess): Promise<KeyAbility[]> {
  const { events, payments, refunds } = createClient(access);
  const probes = [
    { scope: 'read', label: 'ler eventos (listen, events)', call: () => events.list({ limit: 1 }) },
    { scope: 'charges', label: 'criar cobranças (trigger)', call: () => payments.cancel(unknownPaymentId) },
    {
      scope: 'refunds',
      label: 'estornar (trigger payment.refunded)',
      call: () => refunds.create(unknownPaymentId),
    },
  ];
  const abilities: KeyAbility[] = [];
  for (const { scope, label, call } of probes) {
    const code = await call().then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof JangadaError && ['KEY_SCOPE_MISSING', 'PAYMENT_NOT_FOUND'].includes(error.code))
          return error.code;
        throw error;
      },
    );
    abilities.push({ scope, label, isAllowed: code !== 'KEY_SCOPE_MISSING' });
  }
  return abilities;
}
