import type { DisputeModel } from '@jangada/contract';
import { formatDateAtTime, formatTimeLeft } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import type { DisputePhase } from '../../panel/dispute/dispute-look.ts';

/** What happened and what comes next, in plain language. */
export function happened(dispute: DisputeModel, phase: DisputePhase, now: number): string {
  const { blockedCents, returnedCents } = dispute;
  const contested = 'Quem pagou este Pix disse ao banco que foi vítima de golpe ou fraude.';
  const held =
    blockedCents > 0 ? ` ${formatMoney(blockedCents)} do seu saldo ficam bloqueados até a decisão.` : '';
  switch (phase) {
    case 'defence':
      return `${contested}${held} Se a venda foi real, mostre isso até ${formatDateAtTime(dispute.deadline)} (${formatTimeLeft(dispute.deadline, now)}): sem defesa, o banco decide só com o que ouviu de quem pagou.`;
    case 'decision':
      return dispute.defendedAt === null
        ? `${contested}${held} O prazo da defesa terminou sem resposta, e o banco está decidindo.`
        : `${contested}${held} Sua defesa foi enviada, e o banco está decidindo.`;
    case 'won':
      return 'O banco não aceitou a contestação. O que estava bloqueado voltou ao seu saldo.';
    case 'cancelled':
      return 'A contestação foi cancelada. O que estava bloqueado voltou ao seu saldo.';
    case 'lost':
      return returnedCents > 0
        ? `O banco aceitou a contestação e devolveu ${formatMoney(returnedCents)} a quem pagou.`
        : 'O banco aceitou a contestação. O valor volta a quem pagou.';
  }
}
