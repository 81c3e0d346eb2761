/** The refusals about approvals, which are part of `errors`. */
export const approvalErrors = {
  APPROVAL_REQUESTED: {
    status: 409,
    transient: true,
    message: 'Isto precisa da aprovação de outra pessoa. O pedido foi enviado a quem aprova.',
  },
  APPROVAL_NOT_FOUND: { status: 404, message: 'Pedido de aprovação não encontrado.' },
  APPROVAL_ENDED: { status: 409, message: 'Este pedido já terminou.' },
  APPROVAL_OF_OWN: { status: 403, message: 'Quem pediu não aprova: peça a outra pessoa.' },
  APPROVAL_OF_OTHER: { status: 403, message: 'Só quem pediu desiste do pedido. Você pode recusá-lo.' },
  APPROVER_NOT_COUNTED: {
    status: 403,
    transient: true,
    message: 'A sua aprovação ainda não conta nesta conta. Peça em Aprovações que passe a contar.',
  },
  APPROVERS_TOO_FEW: {
    status: 409,
    transient: true,
    message: 'Faltam pessoas que aprovem: cada uma precisa ser dona ou do financeiro e ter um segundo fator.',
  },
  APPROVALS_OFF: { status: 409, transient: true, message: 'A política de aprovação está desligada.' },
} as const;

/** The refusals of an act that waits for approval where the account's policy demands it. */
export const approvalRefusals = ['APPROVAL_REQUESTED', 'APPROVERS_TOO_FEW'] as const;

/** The same for acts of administrators, under the operator's policy. */
export const staffApprovalRefusals = [...approvalRefusals, 'APPROVER_NOT_COUNTED'] as const;
