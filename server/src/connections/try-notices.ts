import type { Config } from '../config.ts';
import { createAddressRules, createGuardedFetch, FetchFailed } from '../guarded-fetch/index.ts';
import { claimNotices, ForeignWebhook, type KnownBank, type Psp } from '../psp/index.ts';
import { type PlannedStep, passed, type StepResult } from './run-steps.ts';

type NoticeTrial = {
  readonly config: Pick<Config, 'mode' | 'sandboxPublic' | 'webhookAllowCidrs'>;
  readonly bank: Pick<KnownBank, 'panel'>;
  readonly psp: Psp;
  /** Contains a secret path, which no step may show. */
  readonly noticeUrl: string;
  readonly isAbandoned: (registeredUrl: string) => Promise<boolean>;
};

const noticeTimeoutMs = 5000;

/** The steps about the bank's callbacks: that it has our address, and that the address answers. */
export function planNotices(trial: NoticeTrial): PlannedStep[] {
  const { origin } = new URL(trial.noticeUrl);
  return [
    {
      id: 'webhook',
      title: 'O banco avisa este gateway dos pagamentos',
      asked: `Cadastrar o webhook da chave em ${origin}, e ler o cadastro de volta.`,
      needs: ['token'],
      isEssential: true,
      run: () => registerWebhook(trial),
    },
    {
      id: 'notice',
      title: 'O endereço de avisos responde',
      asked: `Chamar ${origin}, como o banco chama.`,
      needs: ['webhook'],
      isEssential: false,
      run: () => callNoticeUrl(trial),
    },
  ];
}

async function registerWebhook({
  psp,
  noticeUrl,
  isAbandoned,
  bank: { panel },
}: NoticeTrial): Promise<StepResult> {
  try {
    await claimNotices(psp, noticeUrl, { isAbandoned });
  } catch (error) {
    if (!(error instanceof ForeignWebhook)) throw error;
    if (error.origin === new URL(noticeUrl).origin)
      return {
        state: 'failed',
        answered: 'O banco já envia os avisos desta chave para outra conta deste gateway.',
        meaning: 'Uma chave Pix serve a uma só conta. Encerre a outra antes, ou use outra chave.',
      };
    return {
      state: 'failed',
      answered: `O banco já envia os avisos desta chave para «${error.origin}».`,
      meaning: `Uma chave Pix serve a um só sistema. Se o outro não é mais usado, remova o webhook dele ${panel}; senão, use outra chave.`,
    };
  }
  if ((await psp.findNoticeUrl()) === noticeUrl)
    return passed('O banco tem o endereço deste gateway.', 'Pagamentos são avisados na hora.');
  return {
    state: 'failed',
    answered: 'O banco aceitou o endereço, e ao ler de volta deu outro.',
    meaning: `O cadastro não valeu. Veja o webhook da chave ${panel}.`,
  };
}

const fullProof = 'A prova completa é um Pix de um centavo: a cobrança tem de mudar para paga na hora.';

/** Calls our own address from this machine. Whether the bank gets through shows only when something is paid. */
async function callNoticeUrl({ config, noticeUrl }: NoticeTrial): Promise<StepResult> {
  const { port } = new URL(noticeUrl);
  const rules = createAddressRules(config, [443, 8443, ...(port === '' ? [] : [Number(port)])]);
  const guarded = createGuardedFetch({ rules, timeoutMs: noticeTimeoutMs });
  try {
    const { status } = await guarded.send({
      method: 'POST',
      url: noticeUrl,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    if (status === 200)
      return passed(
        'O endereço respondeu 200.',
        `O endereço de avisos funciona a partir deste servidor. ${fullProof}`,
      );
    return warned(`O endereço respondeu ${status}.`);
  } catch (error) {
    if (!(error instanceof FetchFailed)) throw error;
    return warned('O endereço não pôde ser chamado a partir deste servidor.');
  } finally {
    await guarded.close();
  }
}

function warned(answered: string): StepResult {
  const possibleReason = 'Pode ser que só aceite o banco, pela rede ou pelo certificado dele.';
  return { state: 'warned', answered, meaning: `${possibleReason} ${fullProof}` };
}
