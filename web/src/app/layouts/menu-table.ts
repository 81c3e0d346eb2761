import { type MemberRole, mayDo, type Permission, type Role } from '@jangada/contract';
import {
  Activity,
  ArrowUpRight,
  BookOpenText,
  Braces,
  Building2,
  CircleHelp,
  FileClock,
  Gavel,
  History,
  House,
  KeyRound,
  Landmark,
  Link2,
  List,
  ListChecks,
  type LucideIcon,
  QrCode,
  Receipt,
  Repeat2,
  Scale,
  ScrollText,
  Send,
  ShieldCheck,
  UserRound,
  UserRoundCheck,
  UserRoundPlus,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { MerchantBank } from '../../panel/bank/merchant-bank.ts';
import { extraScreenPaths } from '../extra-screen-paths.ts';
import { allowsRole, type RouteAccess } from '../guards.ts';
import { paths } from '../paths.ts';
import { screenPermissions } from '../screen-permissions.ts';
import type { ScreenPath } from '../screen-searches.ts';

export type MenuEntry = {
  to: ScreenPath;
  label: string;
  icon: LucideIcon;
  /** The access level of the entry's route. If it is absent, everybody who is signed in may open it. */
  access?: Exclude<RouteAccess, 'guest'>;
  /** A permission that the entry requires beside that of its screen, because to others it is of no use. */
  permission?: Permission;
  /** Whether the entry is of use, by what is known of the merchant's own bank accounts. */
  isOfUse?: (bank: MerchantBank) => boolean;
  /** Whether the entry is of use only in an account with approvals, or with somebody who could give them. */
  isOfApprovals?: true;
};
export type MenuGroup = { label: string; entries: readonly MenuEntry[] };

/** The first entry of the sidebar, which belongs to no group. */
export const startEntry: MenuEntry = { to: paths.dashboard, label: 'Início', icon: House };

/**
 * The sidebar groups for a role among the operator's staff and one in the account, without the entries that these may
 * not open. `hasExtraScreens` is true if the gateway behind the dashboard has the screens beyond the specification.
 * `bank` is about the merchant's own bank accounts, and `hasApprovals` about the account. Whoever is a member of none
 * has no `memberRole`.
 */
export function groupsFor(
  role: Role,
  memberRole: MemberRole | undefined,
  hasExtraScreens: boolean,
  bank: MerchantBank,
  hasApprovals: boolean,
): readonly MenuGroup[] {
  const mayOpen = ({ to, permission }: MenuEntry) =>
    memberRole === undefined
      ? to === paths.profile
      : mayDo(memberRole, permission ?? 'own') && mayDo(memberRole, screenPermissions[to] ?? 'own');
  return groups
    .map(({ label, entries }) => ({
      label,
      entries: entries.filter(
        (entry) =>
          allowsRole(entry.access ?? 'user', role) &&
          mayOpen(entry) &&
          (hasExtraScreens || !extraScreenPaths.has(entry.to)) &&
          (entry.isOfUse?.(bank) ?? true) &&
          (hasApprovals || !entry.isOfApprovals),
      ),
    }))
    .filter(({ entries }) => entries.length > 0);
}

const hasPayouts = ({ is_without_payouts }: MerchantBank) => !is_without_payouts;

const groups: readonly MenuGroup[] = [
  {
    label: 'Transações',
    entries: [
      {
        to: paths.transactions,
        label: 'Todas as Transações',
        icon: List,
        permission: 'read-charges',
      },
      { to: paths.dueCharges, label: 'Cobranças', icon: FileClock },
      { to: paths.pixPayment, label: 'Criar Pagamento', icon: QrCode },
      { to: paths.paymentLinks, label: 'Links de pagamento', icon: Link2 },
      { to: paths.subscriptions, label: 'Assinaturas', icon: Repeat2 },
      { to: paths.customers, label: 'Clientes', icon: Users },
      { to: paths.disputes, label: 'Disputas', icon: Scale },
    ],
  },
  {
    label: 'Saques',
    entries: [
      { to: paths.withdrawals, label: 'Sacar', icon: ArrowUpRight, isOfUse: hasPayouts },
      { to: paths.withdrawalHistory, label: 'Histórico de Saques', icon: History },
      { to: paths.apiWithdrawals, label: 'Saque pela API', icon: Braces, isOfUse: hasPayouts },
    ],
  },
  {
    label: 'Conta',
    entries: [
      { to: paths.wallet, label: 'Carteira', icon: Wallet },
      { to: paths.statement, label: 'Extrato', icon: ScrollText },
      { to: paths.bank, label: 'Banco', icon: Landmark, isOfUse: ({ has_screen }) => has_screen },
      {
        to: paths.fees,
        label: 'Tarifas',
        icon: Receipt,
        isOfUse: ({ has_own_accounts }) => has_own_accounts,
      },
      { to: paths.apiKeys, label: 'Chaves de API', icon: KeyRound },
      {
        to: paths.apiDocs,
        label: 'Documentação API',
        icon: BookOpenText,
        permission: 'manage-keys',
      },
      { to: paths.webhooks, label: 'Webhooks', icon: Webhook },
      { to: paths.members, label: 'Membros', icon: UserRoundPlus },
      { to: paths.approvals, label: 'Aprovações', icon: UserRoundCheck, isOfApprovals: true },
      { to: paths.profile, label: 'Perfil', icon: UserRound },
    ],
  },
  {
    label: 'Gerenciamento',
    entries: [
      { to: paths.adminUsers, label: 'Usuários', icon: Users, access: 'change-users' },
      { to: paths.adminKyc, label: 'Verificações KYC', icon: ShieldCheck, access: 'decide-kyc' },
      { to: paths.adminAuditLog, label: 'Registro de auditoria', icon: FileClock, access: 'read-audit-log' },
    ],
  },
  {
    label: 'Atendimento',
    entries: [{ to: paths.support, label: 'Usuários', icon: Users, access: 'support' }],
  },
  {
    label: 'Operação',
    entries: [
      {
        to: paths.adminWithdrawals,
        label: 'Saques dos lojistas',
        icon: Send,
        access: 'read-operations',
      },
      { to: paths.adminSuspense, label: 'Pix sem dono', icon: CircleHelp, access: 'read-operations' },
      { to: paths.adminReconciliation, label: 'Conciliação', icon: ListChecks, access: 'read-operations' },
      { to: paths.adminConnections, label: 'Contas bancárias', icon: Building2, access: 'read-operations' },
      {
        to: paths.adminFeeStatements,
        label: 'Faturas de tarifas',
        icon: Receipt,
        access: 'read-operations',
      },
      { to: paths.adminDisputes, label: 'Disputas dos lojistas', icon: Gavel, access: 'read-operations' },
      { to: paths.adminApprovals, label: 'Aprovações', icon: UserRoundCheck, access: 'run-operations' },
      { to: paths.adminHealth, label: 'Saúde do sistema', icon: Activity, access: 'read-operations' },
    ],
  },
];
