import * as z from 'zod/mini';

/**
 * Every expected "no" of the API: its HTTP status and the Portuguese sentence that is fit to show.
 * A code is a promise to integrators and never changes its meaning.
 */
export const errors = {
  INVALID_BODY: { status: 400, message: 'Corpo da requisição inválido.' },
  INVALID_QUERY: { status: 400, message: 'Parâmetros da consulta inválidos.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Envie o corpo como application/json.' },
  BODY_TOO_LARGE: { status: 413, message: 'O corpo da requisição é grande demais.' },
  UNAUTHENTICATED: { status: 401, message: 'Sua sessão terminou. Entre novamente.' },
  INVALID_CREDENTIALS: { status: 401, message: 'Usuário ou senha inválidos' },
  INVALID_API_KEY: { status: 401, message: 'Chave de API inválida.' },
  API_KEY_REQUIRED: {
    status: 403,
    message: 'Você não possui uma chave API. Por favor, gere uma na página de Chaves API.',
  },
  API_KEY_INACTIVE: {
    status: 403,
    message: 'Sua chave de API está inativa. Fale com o suporte para ativá-la.',
  },
  ACCOUNT_NOT_APPROVED: {
    status: 403,
    message: 'Sua conta ainda não foi aprovada. Conclua a verificação de identidade para usar este recurso.',
  },
  FORBIDDEN: { status: 403, message: 'Você não tem permissão para isto.' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'Esta origem não pode chamar a API.' },
  HOST_NOT_ALLOWED: { status: 421, message: 'Este endereço não é atendido aqui.' },
  PASSWORD_WRONG: { status: 403, message: 'Senha incorreta.' },
  PASSWORD_REQUIRED: { status: 403, message: 'Confirme sua senha para continuar.' },
  NOT_FOUND: { status: 404, message: 'Não encontrado.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Este método não é aceito neste endereço.' },
  PAYMENT_NOT_FOUND: { status: 404, message: 'Pagamento não encontrado.' },
  USER_NOT_FOUND: { status: 404, message: 'Usuário não encontrado.' },
  USERNAME_TAKEN: { status: 409, message: 'Este nome de usuário já está em uso.' },
  EMAIL_TAKEN: { status: 409, message: 'Este email já está em uso.' },
  DOCUMENT_TAKEN: { status: 409, message: 'Já existe uma conta com este documento.' },
  AMOUNT_INVALID: { status: 400, message: 'Por favor, insira um valor válido.' },
  AMOUNT_TOO_SMALL: { status: 400, message: 'O valor mínimo para depósito é R$ 1,50.' },
  AMOUNT_TOO_LARGE: { status: 400, message: 'O valor passa do máximo permitido por cobrança.' },
  AMOUNT_BELOW_FEE: { status: 400, message: 'O valor não cobre a tarifa desta cobrança.' },
  INVALID_CALLBACK_URL: {
    status: 400,
    message: 'A URL de callback é inválida. Use um endereço https público.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'O cabeçalho Idempotency-Key deve ter de 1 a 255 caracteres visíveis.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'Esta Idempotency-Key já foi usada com outro corpo. Use uma nova chave.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    message: 'Uma requisição com esta Idempotency-Key ainda está em andamento. Tente de novo em instantes.',
  },
  OFFSET_TOO_DEEP: {
    status: 400,
    message: 'O offset vai até 10.000. Para ir mais fundo, use o cursor before.',
  },
  STALE_VERSION: {
    status: 409,
    message: 'Este usuário foi alterado por outra pessoa. Recarregue e tente de novo.',
  },
  STALE_BALANCE: {
    status: 409,
    message: 'O saldo mudou desde que você abriu o formulário. Recarregue e tente de novo.',
  },
  REASON_REQUIRED: { status: 400, message: 'Informe o motivo do ajuste de saldo.' },
  OWN_ACCOUNT: { status: 403, message: 'Ninguém altera o próprio papel ou o próprio saldo.' },
  LAST_ADMIN: { status: 409, message: 'O último administrador precisa continuar administrador.' },
  ADJUSTMENT_LIMIT: { status: 403, message: 'O limite diário de ajustes de saldo foi atingido.' },
  INSUFFICIENT_BALANCE: { status: 400, message: 'Saldo insuficiente.' },
  RATE_LIMITED: { status: 429, message: 'Muitas tentativas. Aguarde um pouco e tente de novo.' },
  OVERLOADED: { status: 503, message: 'O serviço está ocupado. Tente de novo em instantes.' },
  UNAVAILABLE: { status: 503, message: 'O serviço não está pronto.' },
  PAYMENT_PROCESSING_ERROR: {
    status: 500,
    message: 'O banco não confirmou a criação da cobrança. Tente de novo em instantes.',
  },
  INTERNAL: {
    status: 500,
    message: 'Ocorreu um erro inesperado. Tente novamente mais tarde.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** The one shape of every refusal. `requestId` names the request in the operator's log. */
export const errorEnvelope = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.optional(z.record(z.string(), z.unknown())),
  }),
  requestId: z.optional(z.string()),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
