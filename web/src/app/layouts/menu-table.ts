import type { Role } from '@jangada/contract';
import {
  ArrowUpRight,
  Braces,
  History,
  House,
  KeyRound,
  List,
  type LucideIcon,
  QrCode,
  Scale,
  ScrollText,
  UserRound,
  Wallet,
} from 'lucide-react';
import { admits, type RouteAccess } from '../guards.ts';
import { paths } from '../paths.ts';

export type MenuEntry = {
  to: (typeof paths)[keyof typeof paths];
  label: string;
  icon: LucideIcon;
  /** As its route has it; without it for everybody. */
  access?: Exclude<RouteAccess, 'guest'>;
};
export type MenuGroup = { label: string; entries: readonly MenuEntry[] };

/** The first entry stands alone. */
export const start: MenuEntry = { to: paths.dashboard, label: 'Início', icon: House };

/** The groups of the sidebar that a role sees, with the entries that it may open. */
export function groupsFor(role: Role): readonly MenuGroup[] {
  return groups
    .map(({ label, entries }) => ({
      label,
      entries: entries.filter(({ access = 'user' }) => admits(access, role)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** An entry is here once its screen exists in router.tsx. */
const groups: readonly MenuGroup[] = [
  {
    label: 'Transações',
    entries: [
      { to: paths.transactions, label: 'Todas as Transações', icon: List },
      { to: paths.pixPayment, label: 'Criar Pagamento', icon: QrCode },
      { to: paths.disputes, label: 'Disputas', icon: Scale },
    ],
  },
  {
    label: 'Saques',
    entries: [
      { to: paths.withdrawals, label: 'Sacar', icon: ArrowUpRight },
      { to: paths.withdrawalHistory, label: 'Histórico de Saques', icon: History },
      { to: paths.apiWithdrawals, label: 'Saque pela API', icon: Braces },
    ],
  },
  {
    label: 'Conta',
    entries: [
      { to: paths.wallet, label: 'Carteira', icon: Wallet },
      { to: paths.statement, label: 'Extrato', icon: ScrollText },
      { to: paths.apiKeys, label: 'Chaves de API', icon: KeyRound },
      { to: paths.profile, label: 'Perfil', icon: UserRound },
    ],
  },
];
