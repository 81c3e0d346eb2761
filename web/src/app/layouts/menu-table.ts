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
  Wallet,
} from 'lucide-react';
import { paths } from '../paths.ts';

export type MenuEntry = { to: (typeof paths)[keyof typeof paths]; label: string; icon: LucideIcon };
export type MenuGroup = { label: string; entries: readonly MenuEntry[] };

/** The first entry stands alone. */
export const start: MenuEntry = { to: paths.dashboard, label: 'Início', icon: House };

/** The groups of the sidebar. An entry is here once its screen exists in router.tsx. */
export const groups: readonly MenuGroup[] = [
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
    ],
  },
];
