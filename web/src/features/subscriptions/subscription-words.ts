import type {
  Authorization,
  Cycle,
  CycleReason,
  CycleStatus,
  Subscription,
  SubscriptionEnd,
  SubscriptionStatus,
} from '@jangada/contract';
import { formatCalendarDay, shiftDay } from '../../format/date.ts';
import type { GlyphName } from '../../ui/index.ts';
import { reasonTextOf } from './reason-texts.ts';

type Badge = { readonly glyph: GlyphName; readonly label: string };

export const subscriptionBadges: Readonly<Record<SubscriptionStatus, Badge>> = {
  waiting: { glyph: 'waiting', label: 'Esperando autorização' },
  active: { glyph: 'done', label: 'Ativa' },
  past_due: { glyph: 'failed', label: 'Em atraso' },
  ended: { glyph: 'gone', label: 'Encerrada' },
};

export const cycleBadges: Readonly<Record<CycleStatus, Badge>> = {
  planned: { glyph: 'waiting', label: 'Prevista' },
  sending: { glyph: 'processing', label: 'Indo para o banco' },
  scheduled: { glyph: 'processing', label: 'Agendada no banco' },
  retrying: { glyph: 'waiting', label: 'Nova tentativa' },
  paid: { glyph: 'done', label: 'Paga' },
  given_up: { glyph: 'failed', label: 'Não debitada' },
  cancelled: { glyph: 'gone', label: 'Cancelada' },
};

export type DebitAttempt = Cycle['attempts'][number];

export const attemptBadges: Readonly<Record<DebitAttempt['status'], Badge>> = {
  requested: { glyph: 'processing', label: 'Pedida' },
  scheduled: { glyph: 'processing', label: 'Agendada' },
  paid: { glyph: 'done', label: 'Paga' },
  refused: { glyph: 'failed', label: 'Recusada' },
  cancelled: { glyph: 'gone', label: 'Cancelada' },
  expired: { glyph: 'failed', label: 'Sem débito' },
};

/** What the payer's bank says least of: a debit that it tried all day and did not make. */
export const EXPIRED_ATTEMPT =
  'O banco tentou o dia todo e não debitou. Em geral falta saldo, ou o limite do Pix Automático é baixo.';

/** Why a cycle ended without a payment or was taken back, when the bank gave no reason of its own. */
export const cycleReasonTexts: Readonly<Record<CycleReason, string>> = {
  mandate_ended: 'A autorização do pagador acabou antes do débito.',
  no_amount: 'O valor não foi informado a tempo.',
  too_late: 'Não deu tempo de enviar ao banco.',
  refused: 'O banco recusou o débito.',
  no_retries_left: 'O débito falhou em todas as tentativas.',
  expired: EXPIRED_ATTEMPT,
  paid_otherwise: 'Foi paga de outro modo, e o débito foi retirado.',
  by_merchant: 'Você cancelou esta cobrança.',
  by_payer: 'O pagador cancelou este débito no banco dele.',
  subscription_ended: 'A assinatura terminou antes.',
};

/** Why subscriptions ended, for the count of them. */
export const endTexts: Readonly<Record<SubscriptionEnd, string>> = {
  finished: 'Chegaram ao fim combinado',
  by_merchant: 'Canceladas por você',
  by_payer: 'Canceladas pelo pagador',
  by_bank: 'Canceladas pelo banco',
  rejected: 'Recusadas pelo pagador',
  not_allowed: 'Não autorizadas a tempo',
};

/** Why one subscription ended. */
const endSentences: Readonly<Record<SubscriptionEnd, string>> = {
  finished: 'Ela chegou ao fim combinado. Não há mais débitos.',
  by_merchant: 'Você cancelou esta assinatura. Não há mais débitos.',
  by_payer: 'O pagador cancelou a autorização no banco dele. Não há mais débitos.',
  by_bank: 'O banco cancelou a autorização. Não há mais débitos.',
  rejected: 'O pagador recusou a autorização. Nada foi debitado.',
  not_allowed: 'Ninguém autorizou os débitos a tempo. Nada foi debitado.',
};

export type AuthorizationChoice = { readonly label: string; readonly hint: string };

/** The ways in which a payer allows the debits, as the form offers them. */
export const authorizationChoices: Readonly<Record<Authorization, AuthorizationChoice>> = {
  code: {
    label: 'Ler um código',
    hint: 'A pessoa lê o código no aplicativo do banco e autoriza. Não paga nada na hora.',
  },
  pay: {
    label: 'Pagar a primeira e autorizar',
    hint: 'O mesmo código cobra um primeiro pagamento na hora e autoriza as próximas cobranças.',
  },
  offer: {
    label: 'Oferecer junto com uma cobrança com vencimento',
    hint: 'A pessoa paga uma cobrança até o vencimento, e o banco oferece o débito das próximas. Ela pode não aceitar.',
  },
  push: {
    label: 'Pedido no aplicativo do banco',
    hint: 'O pedido aparece no banco da pessoa. Você precisa saber o banco e a conta dela.',
  },
};

/** How the payer allowed the debits. */
export const allowedByTexts: Readonly<Record<Authorization, string>> = {
  code: 'Leu o código',
  pay: 'Pagou a primeira e autorizou',
  offer: 'Aceitou ao pagar uma cobrança',
  push: 'Aceitou o pedido no banco',
};

type Explanation = { readonly what: string; readonly advice: string | null };

/** The state of a subscription in words, and what the merchant can do. */
export function explanationOf(subscription: Subscription): Explanation {
  const { status, mandate, end, next_cycle: next, authorization } = subscription;
  if (status === 'ended') {
    const bank = mandate.reason === null ? null : reasonTextOf(mandate.reason);
    const own = end === null ? 'Não há mais débitos.' : endSentences[end];
    // Whoever cancelled it needs no word of the bank about that.
    if (bank === null || end === 'finished' || end === 'by_merchant' || end === 'not_allowed')
      return { what: own, advice: null };
    return { what: `${bank.what} Não há mais débitos.`, advice: bank.advice };
  }
  if (status === 'waiting') return waitingExplanations(mandate.status === 'making')[authorization];
  const isPastDue = status === 'past_due';
  if (next?.status === 'retrying')
    return {
      what: isPastDue ? 'A última cobrança não foi paga.' : 'A cobrança ainda não foi debitada.',
      advice: `O banco tenta de novo em ${formatCalendarDay(nextTryDay(next) ?? next.debit_day)}. Lembre a pessoa de deixar saldo na conta.`,
    };
  if (isPastDue)
    return {
      what: 'A última cobrança não foi paga.',
      advice: 'Cobre de outro modo o que ficou em aberto. As próximas cobranças seguem.',
    };
  return {
    what: 'O pagador autorizou, e o banco dele debita sozinho.',
    advice:
      next !== null && next.amount === null
        ? `Informe o valor da próxima cobrança, que é debitada em ${formatCalendarDay(next.debit_day)}.`
        : null,
  };
}

const waitingExplanations = (isMaking: boolean): Readonly<Record<Authorization, Explanation>> => {
  const making = {
    what: 'O banco está preparando o pedido de autorização.',
    advice: 'Em instantes ele aparece aqui.',
  };
  if (isMaking) return { code: making, pay: making, offer: making, push: making };
  return {
    code: {
      what: 'O pagador ainda não autorizou.',
      advice:
        'Envie a página ou o código. A pessoa lê no aplicativo do banco e autoriza, sem pagar nada na hora.',
    },
    pay: {
      what: 'O pagador ainda não pagou a primeira cobrança nem autorizou.',
      advice: 'Envie a página ou o código. Ao pagar, a pessoa autoriza as próximas.',
    },
    offer: {
      what: 'O pagador ainda não aceitou o débito.',
      advice:
        'Envie a página. Ao pagar a primeira cobrança, o banco pergunta se a pessoa quer o débito das próximas.',
    },
    push: {
      what: 'O pedido está no aplicativo do banco do pagador.',
      advice: 'Avise a pessoa para abrir o banco e procurar por Pix Automático.',
    },
  };
};

/** The day of the attempt that is still ahead; undefined if there is none. */
function nextTryDay(cycle: Cycle): string | undefined {
  return cycle.attempts.find(({ status }) => status === 'requested' || status === 'scheduled')?.day;
}

/** Why a cycle was not paid, and what can be done; null for one that is paid or goes on: its attempts tell the rest. */
export function cycleExplanation(cycle: Cycle): Explanation | null {
  const { status, reason, bank_reason: bankReason } = cycle;
  if (status !== 'given_up' && status !== 'cancelled') return null;
  if (bankReason !== null && reason !== 'by_merchant' && reason !== 'paid_otherwise')
    return reasonTextOf(bankReason);
  return { what: reason === null ? 'Não houve pagamento.' : cycleReasonTexts[reason], advice: null };
}

/**
 * What the merchant may still do with a cycle. The bank takes a debit back until 22 h of the day before it, and one that
 * is being tried again not at all.
 */
export function cycleActions(cycle: Cycle, isVariable: boolean, nowMs: number) {
  const { status, amount, debit_day: debitDay } = cycle;
  const isAhead = status === 'planned' || status === 'sending' || status === 'scheduled';
  // São Paulo is three hours behind UTC all year.
  const canBeTakenBack = isAhead && nowMs < Date.parse(`${shiftDay(debitDay, -1)}T22:00:00-03:00`);
  return {
    setAmount: isVariable && status === 'planned' && canBeTakenBack,
    chargeOtherwise: amount !== null && (status === 'given_up' || canBeTakenBack),
    cancel: canBeTakenBack,
  };
}
