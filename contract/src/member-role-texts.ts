import type { MemberRole } from './members.ts';

/** The label and the explanation of each role, for screens, refusals and the documentation. */
export const memberRoleTexts: Readonly<
  Record<MemberRole, { readonly label: string; readonly sentence: string }>
> = {
  owner: { label: 'Dono', sentence: 'Pode tudo, e cuida dos membros. Há sempre pelo menos um.' },
  finance: {
    label: 'Financeiro',
    sentence: 'Saca, estorna, cuida dos destinos de saque, das disputas e das faturas, e vê o extrato.',
  },
  operator: {
    label: 'Operador',
    sentence: 'Cria e cancela cobranças, links e QR Codes de balcão, e estorna até o limite dele.',
  },
  cashier: { label: 'Caixa', sentence: 'Cria cobranças e vê as que ele mesmo criou hoje.' },
  accountant: { label: 'Contador', sentence: 'Consulta tudo o que é dinheiro e exporta. Não altera nada.' },
  developer: {
    label: 'Desenvolvedor',
    sentence: 'Cuida dos webhooks e das chaves por sistema, sem os escopos de estorno e de saque.',
  },
};
