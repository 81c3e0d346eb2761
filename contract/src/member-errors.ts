/** The refusals that concern who acts for an account, and who controls it. They are part of `errors`. */
export const memberErrors = {
  MEMBER_ROLE_MISSING: {
    status: 403,
    transient: true,
    message: 'O seu papel nesta conta não permite isto.',
  },
  ACCOUNT_SWITCHED: {
    status: 409,
    transient: true,
    message: 'Esta sessão passou a agir por outra conta. Recarregue a página para vê-la.',
  },
  MEMBER_DAY_LIMIT: {
    status: 403,
    transient: true,
    message: 'Isto passa do seu limite de hoje nesta conta.',
  },
  MEMBER_NOT_FOUND: { status: 404, message: 'Membro não encontrado.' },
  MEMBER_EXISTS: { status: 409, message: 'Esta pessoa já é membro da conta.' },
  MEMBERS_FULL: { status: 409, message: 'O limite de 50 membros e convites foi atingido.' },
  MEMBERSHIP_NOT_FOUND: { status: 404, message: 'Você não é membro desta conta.' },
  HOLDER_STAYS: {
    status: 409,
    message: 'A conta está no nome desta pessoa, que continua dona dela.',
  },
  NOT_HOLDER: { status: 403, message: 'Só o titular da conta faz isto.' },
  MEMBERSHIP_ENDED: {
    status: 403,
    transient: true,
    message: 'Você não tem mais acesso a esta conta. Entre em outra.',
  },
  HANDOVER_NOT_FOUND: { status: 404, message: 'Nenhuma proposta de passar a conta espera por você.' },
  HANDOVER_NEEDS_OWNER: { status: 409, message: 'A conta só passa a quem já é dono dela.' },
  SUPPORT_NOT_ALLOWED: {
    status: 403,
    transient: true,
    message: 'Nenhum dono desta conta deixou o suporte olhá-la agora.',
  },
  NOTHING_TO_REVIEW: { status: 409, message: 'Nenhuma conferência de identidade está pendente nesta conta.' },
  INVITATION_NOT_FOUND: { status: 404, message: 'Convite não encontrado.' },
  INVITATION_OF_OTHER: {
    status: 403,
    message: 'Este convite é para outro e-mail. Entre com o usuário desse e-mail para aceitá-lo.',
  },
  INVITATIONS_OFF: {
    status: 501,
    message: 'Este gateway não envia e-mails, e por isso não convida membros.',
  },
} as const;
