import type { ApprovalKind, ApprovalRequest, ApprovalStatus, UnusualSign } from '@jangada/contract';
import { paths } from '../../app/paths.ts';
import type { ScreenTarget } from '../../app/screen-searches.ts';
import { usersFilterFrom } from '../../panel/users/users-filter.ts';
import type { GlyphName } from '../../ui/index.ts';

const badges: Record<ApprovalStatus, { readonly glyph: GlyphName; readonly label: string }> = {
  open: { glyph: 'waiting', label: 'Espera aprovação' },
  approved: { glyph: 'done', label: 'Aprovado' },
  done: { glyph: 'done', label: 'Cumprido' },
  rejected: { glyph: 'failed', label: 'Recusado' },
  cancelled: { glyph: 'gone', label: 'Desistência' },
  expired: { glyph: 'gone', label: 'Vencido' },
};

/** The badge of a request. One whose time is over has ended, even if the server has not ended it yet. */
export function badgeOf({ status, expires_at }: Pick<ApprovalRequest, 'status' | 'expires_at'>, now: number) {
  const isOver = (status === 'open' || status === 'approved') && Date.parse(expires_at) <= now;
  return badges[isOver ? 'expired' : status];
}

/** What is unusual about an order, each in a sentence. */
export const unusualTexts: Record<UnusualSign, string> = {
  'new-key': 'A conta nunca enviou dinheiro para esta chave Pix.',
  'first-in-months': 'É o primeiro saque da conta em mais de dois meses.',
  'at-night': 'Foi pedido à noite, entre 20h e 6h.',
  'with-others':
    'Sozinho fica abaixo do valor da política, e o alcança com os saques e estornos menores das últimas 24 horas.',
  'largest-ever': 'É maior que todos os saques que a conta já fez.',
  'recent-change': 'Há pouco tempo mudou algo na segurança de quem pediu.',
};

type Place = { readonly label: string; readonly target: ScreenTarget };

/** The page about what a request asks for, where its maker also concludes it; undefined where none is of use. */
export function placeOf({
  kind,
  order_id,
  subject_id,
}: Pick<ApprovalRequest, 'kind' | 'order_id'> & {
  /** The user whom a request of the operator is about. */
  subject_id?: string | undefined;
}): Place | undefined {
  switch (kind) {
    case 'withdrawal':
      return {
        label: 'Ver o saque',
        target: { to: paths.withdrawalHistory, search: order_id === null ? {} : { id: order_id } },
      };
    case 'destination':
      return { label: 'Abrir Saque pela API', target: { to: paths.apiWithdrawals } };
    case 'key':
      return { label: 'Abrir Chaves de API', target: { to: paths.apiKeys } };
    case 'connection':
      return { label: 'Abrir Banco', target: { to: paths.bank } };
    case 'member':
      return { label: 'Abrir Membros', target: { to: paths.members } };
    case 'held-withdrawal':
      return {
        label: 'Abrir Saques dos lojistas',
        target: { to: paths.adminWithdrawals, search: { view: 'held' } },
      };
    case 'payouts':
      return { label: 'Abrir Saques dos lojistas', target: { to: paths.adminWithdrawals } };
    case 'unmatched-pix':
      return { label: 'Abrir Pix sem dono', target: { to: paths.adminSuspense } };
    case 'open-item':
      return { label: 'Abrir Conciliação', target: { to: paths.adminReconciliation } };
    case 'administrator':
    case 'recovery':
      return {
        label: 'Abrir Usuários',
        target: { to: paths.adminUsers, search: usersFilterFrom({ id: subject_id }) },
      };
    default:
      return undefined;
  }
}

/** True for what reserves money until it is approved. */
export function isMoneyOrder(kind: ApprovalKind): boolean {
  return kind === 'withdrawal' || kind === 'refund';
}

export function approvalsInWords(count: number): string {
  return count === 1 ? '1 aprovação' : `${count} aprovações`;
}
