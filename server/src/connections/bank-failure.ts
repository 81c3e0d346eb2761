import * as z from 'zod/mini';
import { FetchFailed, type FetchFailure, failureFrom } from '../guarded-fetch/index.ts';
import { PspRefused, PspUnknown, RefusedResponse, UndecidedResponse } from '../psp/index.ts';
import { type StepResult, StepTimedOut } from './run-steps.ts';

type Description = Pick<StepResult, 'answered' | 'meaning'>;

const slow: Description = {
  answered: 'O banco não respondeu a tempo.',
  meaning: 'O banco está lento ou fora do ar. Tente de novo daqui a alguns minutos.',
};

/**
 * Says what a bank's failure means, and where it is mended: `panel` is the place at the bank. Rethrows what is no
 * failure of a bank.
 */
export function describeFailure(error: unknown, panel: string): Description {
  if (error instanceof StepTimedOut) return slow;
  if (error instanceof FetchFailed) return describeConnection(error.reason);
  if (error instanceof UndecidedResponse) return describeResponse(error, panel);
  if (error instanceof PspRefused) return describeRefusal(error, panel);
  if (!(error instanceof PspUnknown)) throw error;
  return describeUnknown(error);
}

function describeResponse({ status, text }: UndecidedResponse, panel: string): Description {
  return {
    answered: `O banco respondeu ${status}${quote(wordsOf(text))}.`,
    meaning: meaningOf(status, panel),
  };
}

function meaningOf(status: number, panel: string): string {
  if (status === 401)
    return `O banco não aceitou as credenciais. Confira o Client ID e o Client Secret ${panel}.`;
  if (status === 403) return `Falta uma permissão (escopo) para isto. Ative-a ${panel}.`;
  if (status === 400)
    return `O banco não aceitou as credenciais, ou uma permissão pedida. Confira-as ${panel}.`;
  if (status === 429) return 'O banco limita as chamadas. Espere alguns minutos e verifique de novo.';
  if (status === 404)
    return 'O banco não conhece esta chamada, ou não diz por que não achou o que foi pedido.';
  if (status < 400)
    return 'O endereço leva a outro lugar. O operador precisa conferir os endereços do banco.';
  return 'O banco está com um problema. Tente de novo daqui a alguns minutos.';
}

function describeRefusal(error: PspRefused, panel: string): Description {
  const status = error instanceof RefusedResponse ? ` (${error.status})` : '';
  return {
    answered: `O banco recusou${status}${quote(error.reason ?? error.code ?? '')}.`,
    meaning: `O banco não permite isto a esta conta. Veja o motivo, e a conta ${panel}.`,
  };
}

const zodIssues = z.object({ issues: z.array(z.object({ path: z.array(z.unknown()) })) });

function describeUnknown({ cause }: PspUnknown): Description {
  const issues = zodIssues.safeParse(cause).data?.issues;
  if (issues !== undefined) {
    const fields = [...new Set(issues.map(({ path }) => path.join('.')))].slice(0, 5).join(', ');
    return {
      answered: `A resposta do banco não segue a API Pix${fields === '' ? '' : `: ${fields}`}.`,
      meaning:
        'O banco responde de um jeito que este gateway não sabe ler. Conte isto ao banco e ao operador.',
    };
  }
  if (cause instanceof SyntaxError)
    return {
      answered: 'A resposta do banco não é JSON.',
      meaning: 'O endereço pode ser de outro serviço. O operador precisa conferir os endereços do banco.',
    };
  if (cause instanceof Error) return describeConnection(failureFrom(cause).reason);
  return {
    answered: 'O banco não deu uma resposta que sirva.',
    meaning: 'O banco não conhece esta chamada, ou responde de um jeito que este gateway não sabe ler.',
  };
}

const connectionFailures: Readonly<Record<FetchFailure, Description>> = {
  'forbidden-url': {
    answered: 'O endereço do banco não é permitido.',
    meaning: 'O operador precisa informar um endereço https:// de um servidor público do banco.',
  },
  'forbidden-address': {
    answered: 'O nome do banco leva a um endereço que não é da internet pública.',
    meaning: 'Por segurança, este gateway não o chama. O operador precisa conferir os endereços do banco.',
  },
  'name-not-found': {
    answered: 'O nome do servidor não existe.',
    meaning: 'O endereço está errado, ou o DNS deste gateway não funciona. O operador precisa conferir.',
  },
  'connection-failed': {
    answered: 'O servidor não aceitou a conexão.',
    meaning: 'O banco está fora do ar, encerra a conexão, ou só aceita endereços IP cadastrados nele.',
  },
  'tls-failed': {
    answered: 'A conexão segura (TLS) não se estabeleceu.',
    meaning: 'O certificado do servidor do banco não vale para este endereço, ou o banco recusou o nosso.',
  },
  'timed-out': slow,
  'bad-answer': {
    answered: 'A resposta do banco não pôde ser lida.',
    meaning: 'O banco interrompe a resposta, ou não fala HTTP neste endereço.',
  },
};

export function describeConnection(reason: FetchFailure): Description {
  return connectionFailures[reason];
}

/** Why the bank did not respond at all; undefined if it did. */
export function connectionFailureOf(error: unknown): FetchFailure | undefined {
  if (!(error instanceof PspUnknown) || error instanceof UndecidedResponse) return undefined;
  const { cause } = error;
  if (!(cause instanceof Error) || cause instanceof SyntaxError || zodIssues.safeParse(cause).success)
    return undefined;
  return failureFrom(cause).reason;
}

const errorBody = z.partial(
  z.object({
    error_description: z.string(),
    error: z.string(),
    mensagem: z.string(),
    detail: z.string(),
    message: z.string(),
    title: z.string(),
  }),
);

/** The text of an error response: banks have several formats. */
function wordsOf(text: string): string {
  try {
    const body = errorBody.safeParse(JSON.parse(text)).data ?? {};
    const { error_description, mensagem, detail, message, title, error } = body;
    return error_description ?? mensagem ?? detail ?? message ?? title ?? error ?? '';
  } catch {
    // Pages of proxies are not worth reading.
    return '';
  }
}

const maxQuoteLength = 160;

/** The words of a bank, quoted. What could be a token or another secret that the bank repeats is left out. */
export function quote(words: string): string {
  const safe = words
    .replace(/[\p{Cc}\p{Cf}«»]/gu, ' ')
    .replace(/[^\s"'()]{25,}/g, '…')
    .slice(0, maxQuoteLength)
    .toWellFormed()
    .trim();
  return safe === '' ? '' : `: «${safe}»`;
}
