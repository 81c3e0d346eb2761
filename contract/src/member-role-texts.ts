import type { MemberRole, Permission } from './members.ts';

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

/** What each permission allows, in a few words, for the table of the roles. */
export const permissionTexts: Readonly<Record<Permission, string>> = {
  'see-account': 'Ver o nome e as tarifas da conta',
  'create-charges': 'Criar cobranças',
  'see-charges': 'Ver cobranças: o Caixa, só as que criou hoje',
  'read-charges': 'Ver todas as cobranças, os links e os QR Codes',
  'manage-charges': 'Cancelar cobranças; criar links e QR Codes de balcão',
  'see-customers': 'Ver os clientes',
  'see-customer-documents': 'Ver documento, e-mail e telefone dos clientes por inteiro',
  'manage-customers': 'Cadastrar, mudar e arquivar clientes; escolher os lembretes',
  refund: 'Estornar',
  'read-money': 'Ver saldo, extrato, saques, disputas e faturas, e exportar',
  withdraw: 'Sacar',
  'manage-destinations': 'Escolher os destinos do saque pela API',
  'defend-disputes': 'Responder disputas',
  'pay-fees': 'Pagar faturas de tarifas',
  'manage-keys': 'Cuidar das chaves por sistema',
  'manage-main-key': 'Ver e trocar a chave da conta',
  'manage-webhooks': 'Cuidar dos webhooks',
  'manage-account': 'Mudar o PIN de saque, a aparência e as contas bancárias',
  'manage-members': 'Convidar, mudar e remover membros',
  'see-approvals': 'Ver os próprios pedidos de aprovação',
  approve: 'Aprovar o que outros pedem',
  'manage-approvals': 'Decidir o que precisa de aprovação',
  'read-approvals-export': 'Baixar as aprovações para conferir',
};
