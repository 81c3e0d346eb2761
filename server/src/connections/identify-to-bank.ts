import { formatDay } from '../calendar-day.ts';
import { expiresSoon, readClientCertificate } from '../client-certificate.ts';
import type { PspConfig } from '../config.ts';
import { invariant } from '../invariant.ts';
import { type BankProbe, type GrantedToken, type KnownBank, UndecidedResponse } from '../psp/index.ts';
import { connectionFailureOf } from './bank-failure.ts';
import { isAboutOurCertificate } from './reach-bank.ts';
import { type PlannedStep, passed, type StepResult } from './run-steps.ts';

export type Identity = {
  readonly bank: Pick<KnownBank, 'certificate' | 'panel' | 'offers'>;
  readonly psp: PspConfig;
  readonly probe: Pick<BankProbe, 'requestToken'>;
  readonly now: () => Date;
};

/** The steps by which the bank accepts us: certificate, credentials, scopes. */
export function planIdentification(identity: Identity): PlannedStep[] {
  const { bank, psp, probe } = identity;
  // Two steps are about the same call: without it, nobody knows whether the bank accepts the certificate.
  let tokenAttempt: Promise<GrantedToken> | undefined;
  const requestToken = () => (tokenAttempt ??= probe.requestToken());
  return [
    {
      id: 'certificate',
      title: 'O banco aceita o certificado de cliente',
      asked: 'Apresentar o certificado da conta ao banco.',
      needs: ['tls'],
      isEssential: true,
      run: () => checkCertificate(identity, requestToken),
    },
    {
      id: 'token',
      title: 'O banco aceita as credenciais',
      asked: 'Pedir um token com o Client ID e o Client Secret (OAuth 2, client credentials).',
      needs: ['certificate'],
      isEssential: true,
      run: async () => {
        await requestToken();
        return passed('O banco deu um token.', 'O Client ID e o Client Secret estão certos.');
      },
    },
    {
      id: 'scopes',
      title: 'As permissões (escopos) bastam',
      asked: `Comparar os escopos do token com os necessários: ${neededScopes(bank, psp).join(', ')}.`,
      needs: ['token'],
      isEssential: true,
      run: async () => compareScopes(bank, psp, (await requestToken()).scope),
    },
  ];
}

async function checkCertificate(
  { bank, psp, now }: Identity,
  requestToken: () => Promise<unknown>,
): Promise<StepResult> {
  const certificate = readClientCertificate(psp.tls);
  if (certificate === undefined) {
    if (bank.certificate !== 'required')
      return {
        state: 'skipped',
        answered: '',
        meaning:
          bank.certificate === 'none'
            ? 'Este banco não usa certificado de cliente.'
            : `Nenhum foi enviado. Se este banco exige um, emita-o ${bank.panel}, e envie-o aqui.`,
      };
    return {
      state: 'failed',
      answered: 'Não há certificado de cliente.',
      meaning: `Este banco exige um. Emita-o ${bank.panel}, e envie-o aqui.`,
    };
  }
  const { validToDate: expiresAt } = certificate;
  const expiry = `vale até ${formatDay(expiresAt)}`;
  if (expiresAt <= now())
    return {
      state: 'failed',
      answered: `O certificado venceu em ${formatDay(expiresAt)}.`,
      meaning: `Emita outro ${bank.panel}, e envie-o aqui.`,
    };
  if (new URL(psp.tokenUrl).protocol === 'http:')
    return { state: 'skipped', answered: '', meaning: 'Sem TLS, o certificado não é usado.' };
  const refusal = await requestToken().then(
    () => undefined,
    (error: unknown) => certificateRefusalOf(error),
  );
  if (refusal !== undefined)
    return {
      state: 'failed',
      answered: refusal,
      meaning: `Confira se o certificado é o desta aplicação e deste ambiente, ${bank.panel}.`,
    };
  if (expiresSoon(expiresAt, now()))
    return {
      state: 'warned',
      answered: `O banco aceitou o certificado, que ${expiry}.`,
      meaning: `Faltam menos de 30 dias. Emita outro ${bank.panel}, e altere as credenciais antes.`,
    };
  return passed(
    `O banco aceitou o certificado, que ${expiry}.`,
    'O banco reconhece este gateway pelo certificado.',
  );
}

/** The bank's objection to our certificate in its answer to a request for a token; undefined if it has none. */
function certificateRefusalOf(error: unknown): string | undefined {
  if (error instanceof UndecidedResponse)
    return /certificat|\bssl\b|mtls/i.test(error.text)
      ? `O banco respondeu ${error.status}, e que há um problema com o certificado.`
      : undefined;
  const failure = connectionFailureOf(error);
  const cause = error instanceof Error ? error.cause : undefined;
  if (isAboutOurCertificate(cause)) return 'O banco recusou o certificado.';
  // With TLS 1.3 a server looks at the client's certificate only after the connection is open, and then closes it.
  return failure === 'connection-failed' || failure === 'tls-failed'
    ? 'O banco encerrou a conexão assim que viu o certificado.'
    : undefined;
}

const essentialScopes = ['cob.write', 'cob.read', 'pix.read', 'webhook.read', 'webhook.write'];

/** The scopes that what the bank offers takes, besides the essential ones. Only `pix.write` is of BACEN's API Pix. */
function optionalScopes({ offers }: Identity['bank'], { name, refunds }: PspConfig): string[] {
  const ofEfi = name !== 'bacen';
  return [
    ...(refunds ? ['pix.write'] : []),
    ...(ofEfi && offers.withdrawals ? ['pix.send', 'gn.pix.send.read'] : []),
    ...(ofEfi && offers.disputes ? ['gn.infractions.read', 'gn.infractions.write'] : []),
    ...(ofEfi && offers.balance ? ['gn.balance.read'] : []),
  ];
}

function neededScopes(bank: Identity['bank'], psp: PspConfig): string[] {
  return [...essentialScopes, ...optionalScopes(bank, psp)];
}

function compareScopes(bank: Identity['bank'], psp: PspConfig, stated: string | undefined): StepResult {
  const granted = (stated ?? '').split(/[\s,+]+/).filter((scope) => scope !== '');
  const isGranted = (scope: string) => granted.some((one) => one === scope || one.endsWith(`.${scope}`));
  // A bank with names of its own states nothing that could be compared.
  if (!neededScopes(bank, psp).some(isGranted))
    return {
      state: 'skipped',
      answered: 'O banco não diz que escopos o token tem.',
      meaning: 'Os passos seguintes mostram o que é permitido.',
    };
  const missing = essentialScopes.filter((scope) => !isGranted(scope));
  const missingOptional = optionalScopes(bank, psp).filter((scope) => !isGranted(scope));
  if (missing.length > 0)
    return {
      state: 'failed',
      answered: `Faltam: ${[...missing, ...missingOptional].join(', ')}.`,
      meaning: `Sem eles não se recebe por esta conta. Ative-os ${bank.panel}.`,
    };
  if (missingOptional.length > 0)
    return {
      state: 'warned',
      answered: `Faltam: ${missingOptional.join(', ')}.`,
      meaning: `A conta recebe, mas ${uses(missingOptional)} não funcionam. Ative-os ${bank.panel}.`,
    };
  return passed('O token tem todos os escopos.', 'O banco permite tudo o que é preciso.');
}

/** The work that fails without each scope. */
function uses(scopes: readonly string[]): string {
  const names = scopes.map((scope) => useOfScope.find(([pattern]) => pattern.test(scope))?.[1]);
  invariant(!names.includes(undefined), 'each scope has a use');
  return [...new Set(names)].join(', ');
}

const useOfScope: readonly (readonly [RegExp, string])[] = [
  [/^pix\.write$/, 'estornos'],
  [/send/, 'saques'],
  [/infractions/, 'disputas'],
  [/balance/, 'saldo'],
];
