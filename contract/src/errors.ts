import * as z from 'zod/mini';
import { approvalErrors } from './approval-errors.ts';
import { memberErrors } from './member-errors.ts';
import { subscriptionErrors } from './subscription-errors.ts';

/**
 * Every expected refusal of the API, with its HTTP status and a Portuguese sentence that can be shown to users. Codes
 * are a promise to integrators and never change their meaning. A refusal is `transient` if it depends on the state of
 * the account rather than on the request. The same request may then succeed later, so such a refusal is not stored
 * under the Idempotency-Key of the request.
 */
export const errors = {
  INVALID_BODY: { status: 400, message: 'Corpo da requisição inválido.' },
  FIELD_NOT_EDITABLE: { status: 400, message: 'Esta chamada não altera um dos campos enviados.' },
  INVALID_QUERY: { status: 400, message: 'Parâmetros da consulta inválidos.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Envie o corpo como application/json.' },
  BODY_TOO_LARGE: { status: 413, message: 'O corpo da requisição é grande demais.' },
  UNAUTHENTICATED: { status: 401, message: 'Sua sessão terminou. Entre novamente.' },
  INVALID_CREDENTIALS: { status: 401, message: 'Usuário ou senha inválidos' },
  INVALID_API_KEY: { status: 401, message: 'Chave de API inválida.' },
  API_KEY_REQUIRED: {
    status: 403,
    transient: true,
    message: 'Você não possui uma chave API. Por favor, gere uma na página de Chaves API.',
  },
  API_KEY_INACTIVE: {
    status: 403,
    transient: true,
    message: 'Sua chave de API está inativa. Fale com o suporte para ativá-la.',
  },
  API_KEY_EXPIRED: {
    status: 401,
    message: 'Esta chave de API venceu. Crie ou troque a chave na página Chaves de API.',
  },
  KEY_SCOPE_MISSING: { status: 403, message: 'Esta chave de API não tem o escopo que esta chamada pede.' },
  KEY_ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: 'Esta chave de API não pode ser usada a partir deste endereço IP.',
  },
  KEY_NOT_FOUND: { status: 404, message: 'Chave não encontrada.' },
  KEY_LIMIT: { status: 409, message: 'O limite de 20 chaves por sistema foi atingido. Revogue uma antes.' },
  KEY_REPLACED: { status: 409, message: 'Esta chave já foi trocada por outra: altere ou troque a nova.' },
  KEY_ADDRESS_INVALID: {
    status: 400,
    message: 'Um dos endereços não é um IP nem uma rede CIDR.',
  },
  KEY_EXPIRY_INVALID: { status: 400, message: 'O vencimento da chave precisa estar no futuro.' },
  ACCOUNT_NOT_APPROVED: {
    status: 403,
    transient: true,
    message: 'Sua conta ainda não foi aprovada. Conclua a verificação de identidade para usar este recurso.',
  },
  ...approvalErrors,
  ...memberErrors,
  ...subscriptionErrors,
  FORBIDDEN: { status: 403, transient: true, message: 'Você não tem permissão para isto.' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'Esta origem não pode chamar a API.' },
  HOST_NOT_ALLOWED: { status: 421, message: 'Este endereço não é atendido aqui.' },
  PASSWORD_WRONG: { status: 403, transient: true, message: 'Senha incorreta.' },
  PASSWORD_REQUIRED: { status: 403, transient: true, message: 'Confirme sua senha para continuar.' },
  SECOND_FACTOR_REQUIRED: { status: 403, message: 'Confirme a entrada com o segundo fator.' },
  SECOND_FACTOR_WRONG: { status: 403, message: 'O código não confere, ou já foi usado.' },
  SECOND_FACTOR_DEMANDED: {
    status: 403,
    message: 'Seu papel exige um segundo fator: cadastre outro antes de remover este.',
  },
  SECOND_FACTOR_SETUP_REQUIRED: {
    status: 403,
    message: 'Seu papel exige um segundo fator. Cadastre-o no seu perfil, entre de novo com ele e continue.',
  },
  STEP_UP_REQUIRED: { status: 403, transient: true, message: 'Confirme com o segundo fator para continuar.' },
  CHALLENGE_EXPIRED: { status: 403, message: 'O prazo desta confirmação terminou. Comece de novo.' },
  FACTOR_EXISTS: { status: 409, message: 'Já há um aplicativo autenticador nesta conta.' },
  FACTOR_MISSING: { status: 409, message: 'Esta conta não tem um segundo fator.' },
  PASSKEY_NOT_ACCEPTED: { status: 403, message: 'A chave de acesso não foi aceita. Tente de novo.' },
  PASSKEY_LIMIT: { status: 409, message: 'O limite de chaves de acesso foi atingido. Remova uma antes.' },
  PASSWORD_COMMON: {
    status: 400,
    message: 'Esta senha é comum demais ou já apareceu em vazamentos. Escolha outra.',
  },
  ACCOUNT_FROZEN: { status: 403, transient: true, message: 'Esta conta está bloqueada. Fale com o suporte.' },
  ALREADY_FROZEN: { status: 409, message: 'Este usuário já está congelado.' },
  NOT_FROZEN: { status: 409, message: 'Este usuário não está congelado.' },
  RECOVERY_OFF: {
    status: 501,
    message: 'Este gateway não envia e-mails: peça ao suporte para recuperar a senha.',
  },
  LINK_EXPIRED: { status: 400, message: 'Este link já foi usado ou não vale mais. Peça outro.' },
  CLOSING_REQUESTED: { status: 409, message: 'O encerramento desta conta já foi pedido.' },
  IMAGE_NOT_ACCEPTED: {
    status: 400,
    message: 'Por favor, selecione uma imagem válida (JPEG, PNG, GIF)',
  },
  AVATAR_TOO_LARGE: { status: 400, message: 'A imagem deve ter no máximo 2MB' },
  PICTURE_NOT_ACCEPTED: { status: 400, message: 'Envie só imagens: fotos em JPEG, PNG ou WebP.' },
  PICTURE_NOT_FOUND: { status: 404, message: 'Imagem não encontrada.' },
  PICTURE_TOO_LARGE: { status: 400, message: 'Cada imagem deve ter no máximo 10MB.' },
  PICTURE_TOO_SMALL: {
    status: 400,
    message: 'A imagem é pequena demais para ser lida: o lado menor precisa de ao menos 300 pixels.',
  },
  KYC_SAME_PICTURE: {
    status: 400,
    message: 'A mesma imagem foi enviada mais de uma vez: frente, verso e selfie são três fotos diferentes.',
  },
  KYC_INCOMPLETE: { status: 400, message: 'Por favor, envie todas as imagens necessárias.' },
  KYC_COMPANY: {
    status: 409,
    message: 'Empresas enviam os documentos por e-mail ao administrador.',
  },
  KYC_PENDING: { status: 409, message: 'Seus documentos já foram enviados e estão em análise.' },
  KYC_APPROVED: { status: 409, message: 'Sua identidade já foi verificada.' },
  KYC_NOT_PENDING: { status: 404, message: 'Este usuário não tem uma verificação pendente.' },
  KYC_DECIDED: {
    status: 409,
    message: 'Esta verificação já foi decidida, ou há um envio mais novo.',
  },
  WITHDRAWAL_SENT: { status: 409, message: 'Este saque já foi enviado ao banco.' },
  NOT_HELD: { status: 409, message: 'Este saque não está segurado.' },
  PUSH_OFF: { status: 501, message: 'Este gateway não envia notificações push.' },
  PUSH_TOKEN_INVALID: { status: 400, message: 'A inscrição de push é inválida.' },
  NOT_FOUND: { status: 404, message: 'Não encontrado.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Este método não é aceito neste endereço.' },
  PAYMENT_NOT_FOUND: { status: 404, message: 'Pagamento não encontrado.' },
  CHARGE_ALREADY_PAID: {
    status: 409,
    message: 'Esta cobrança já foi paga: não dá mais para cancelá-la. Se for o caso, faça um estorno.',
  },
  CHARGE_ENDED: { status: 409, message: 'Esta cobrança já terminou: não há o que cancelar.' },
  USER_NOT_FOUND: { status: 404, message: 'Usuário não encontrado.' },
  USERNAME_TAKEN: { status: 409, message: 'Este nome de usuário já está em uso.' },
  EMAIL_TAKEN: { status: 409, message: 'Este e-mail já está em uso.' },
  DOCUMENT_TAKEN: { status: 409, message: 'Já existe uma conta com este documento.' },
  AMOUNT_INVALID: { status: 400, message: 'Por favor, insira um valor válido.' },
  AMOUNT_TOO_SMALL: { status: 400, message: 'O valor mínimo para depósito é R$ 1,50.' },
  AMOUNT_TOO_LARGE: { status: 400, message: 'O valor passa do máximo permitido por cobrança.' },
  AMOUNT_BELOW_FEE: { status: 400, message: 'O valor não cobre a tarifa desta cobrança.' },
  DUE_TERMS_INVALID: { status: 400, message: 'O vencimento desta cobrança não está certo.' },
  INVALID_CALLBACK_URL: {
    status: 400,
    message: 'A URL de callback é inválida. Use um endereço https público.',
  },
  INVALID_SUCCESS_URL: {
    status: 400,
    message: 'A success_url é inválida. Use um endereço https.',
  },
  CUSTOMER_NOT_FOUND: { status: 404, message: 'Cliente não encontrado.' },
  CUSTOMER_EXISTS: { status: 409, message: 'Já há um cliente com este documento ou external_id.' },
  CUSTOMER_ARCHIVED: { status: 409, transient: true, message: 'Este cliente está arquivado.' },
  CHARGE_BATCH_NOT_FOUND: { status: 404, message: 'Lote não encontrado.' },
  ALREADY_CHARGED: { status: 409, transient: true, message: 'Há linhas que já foram cobradas.' },
  PAYMENT_LINK_NOT_FOUND: { status: 404, message: 'Link de pagamento não encontrado.' },
  LINK_END_INVALID: { status: 400, message: 'O fim do link precisa estar no futuro.' },
  COUNTER_CODE_NOT_FOUND: { status: 404, message: 'QR Code de balcão não encontrado.' },
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
    transient: true,
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
  ADMIN_EMAIL: {
    status: 403,
    message: 'O e-mail de um administrador só é trocado por ele mesmo, na própria conta.',
  },
  ADJUSTMENT_LIMIT: { status: 403, message: 'O limite diário de ajustes de saldo foi atingido.' },
  INSUFFICIENT_BALANCE: { status: 400, message: 'Saldo insuficiente.' },
  PIN_NOT_SET: {
    status: 403,
    transient: true,
    message: 'Você precisa definir um PIN de saque no Dashboard antes de poder sacar.',
  },
  PIN_WRONG: { status: 403, transient: true, message: 'PIN incorreto.' },
  PIN_LOCKED: {
    status: 403,
    transient: true,
    message: 'Saques bloqueados por tentativas demais com o PIN errado. Tente de novo mais tarde.',
  },
  PIN_MISMATCH: { status: 400, message: 'Os PINs não coincidem.' },
  PIN_TOO_SIMPLE: {
    status: 400,
    message: 'Escolha um PIN menos óbvio: sem dígitos repetidos ou em sequência.',
  },
  WITHDRAWALS_HELD: {
    status: 403,
    transient: true,
    message: 'Por segurança, os saques ficam suspensos por 24 horas depois desta mudança.',
  },
  WITHDRAWALS_PAUSED: {
    status: 503,
    message:
      'Os saques estão temporariamente suspensos pelo operador. Seu saldo está seguro. Tente mais tarde.',
  },
  WITHDRAWALS_UNAVAILABLE: {
    status: 501,
    message: 'O banco deste gateway não envia Pix: saques não são possíveis.',
  },
  WITHDRAWAL_MINIMUM: { status: 400, message: 'O valor mínimo para saque é de R$ 5,00' },
  WITHDRAWAL_TOO_SMALL: { status: 400, message: 'O valor do saque não cobre a tarifa.' },
  WITHDRAWAL_TOO_LARGE: { status: 400, message: 'O valor passa do máximo permitido por saque.' },
  WITHDRAWAL_DAY_LIMIT: {
    status: 400,
    message: 'O limite diário de saques foi atingido. Tente um valor menor ou amanhã.',
  },
  WITHDRAWAL_NIGHT_LIMIT: {
    status: 400,
    message:
      'Das 20h às 6h o limite de saques é menor e foi atingido. Tente um valor menor ou depois das 6h.',
  },
  WITHDRAWAL_PENDING: {
    status: 409,
    message: 'Já existe um saque em andamento. Aguarde a conclusão ou fale com o suporte.',
  },
  WITHDRAWAL_NOT_FOUND: { status: 404, message: 'Saque não encontrado.' },
  WITHDRAWAL_PROCESSING_ERROR: {
    status: 500,
    message: 'O saque não foi processado. Tente de novo em instantes.',
  },
  PIX_KEY_INVALID: { status: 400, message: 'A chave PIX não é válida para o tipo escolhido.' },
  PIX_KEY_NOT_OWN: { status: 400, message: 'Só é possível sacar para uma chave do documento desta conta.' },
  PIX_KEY_OF_GATEWAY: {
    status: 400,
    message: 'Esta chave é do próprio gateway: não é possível sacar para ela.',
  },
  API_WITHDRAWALS_OFF: {
    status: 403,
    transient: true,
    message: 'O saque pela chave de API está desligado. Ligue-o no painel, com senha e PIN.',
  },
  DESTINATION_NOT_SAVED: {
    status: 403,
    transient: true,
    message: 'Pela API só é possível sacar para um destino salvo no painel.',
  },
  DESTINATION_LIMIT: { status: 400, message: 'O limite de destinos salvos foi atingido. Remova um antes.' },
  NOT_IN_DOUBT: {
    status: 409,
    message: 'O desfecho deste saque é conhecido ou ainda está sendo verificado.',
  },
  BANK_BALANCE_LOW: {
    status: 409,
    message: 'O saldo no banco não cobre o dinheiro dos lojistas. Confira a conta antes de voltar a enviar.',
  },
  PAYOUTS_IN_QUESTION: {
    status: 409,
    message:
      'Saiu da conta dinheiro que os livros não conhecem. Encerre esses itens, com prova, antes de voltar a enviar.',
  },
  OWN_ACCOUNTS_OFF: { status: 403, message: 'Este gateway não conecta contas próprias de lojistas.' },
  BANK_UNKNOWN: { status: 400, message: 'Este banco não está entre os que podem ser conectados.' },
  PIX_KEY_TAKEN: {
    status: 409,
    message:
      'Esta chave Pix já está em uso neste gateway. Uma conta que se encerra a mantém por até 90 dias.',
  },
  CERTIFICATE_REQUIRED: {
    status: 400,
    message: 'Este banco exige um certificado. Envie o arquivo que ele emitiu.',
  },
  CERTIFICATE_INVALID: {
    status: 400,
    message: 'O certificado não pôde ser lido. Confira o arquivo e a senha dele.',
  },
  CONNECTION_NOT_FOUND: { status: 404, message: 'Conta bancária não encontrada.' },
  CONNECTION_LIMIT: { status: 409, message: 'Há no máximo 5 contas bancárias. Encerre uma antes.' },
  CONNECTION_STATE: { status: 409, message: 'O estado desta conta bancária não permite isto.' },
  CHECK_RUNNING: { status: 409, transient: true, message: 'A verificação desta conta está em andamento.' },
  CHECK_NEEDED: {
    status: 409,
    transient: true,
    message: 'A verificação desta conta precisa passar, e valer há no máximo um dia. Verifique de novo.',
  },
  ADDRESSES_MISSING: {
    status: 409,
    transient: true,
    message: 'O operador ainda precisa informar os endereços deste banco.',
  },
  BANK_ADDRESS_NOT_ALLOWED: {
    status: 400,
    message: 'Este endereço não é permitido: use https:// e um servidor público do banco.',
  },
  BANK_NOT_CONNECTED: {
    status: 409,
    transient: true,
    message: 'Conecte a sua conta bancária, na página Banco, antes de receber.',
  },
  MONEY_AT_OWN_BANK: {
    status: 409,
    message:
      'O dinheiro já está na sua conta bancária, e o seu banco não envia Pix por aqui. Use o aplicativo dele.',
  },
  WITHDRAWAL_SOURCE_UNAVAILABLE: {
    status: 409,
    message: 'Desta conta não sai Pix pela Jangada agora. Escolha outra.',
  },
  BANK_ACCOUNT_SUSPENDED: {
    status: 409,
    transient: true,
    message: 'A sua conta bancária está suspensa. A página Banco mostra por quê e quem pode reativá-la.',
  },
  COUNTER_CODES_NOT_AT_OWN_BANK: {
    status: 409,
    message: 'QR Codes de balcão existem só para quem recebe na conta do operador. Use um link de pagamento.',
  },
  REFUND_NOT_SUPPORTED: { status: 501, message: 'Funcionalidade de estorno não implementada' },
  REFUND_NOT_PAID: { status: 409, message: 'Só um pagamento confirmado pode ser estornado.' },
  REFUND_TOO_LATE: { status: 409, message: 'O prazo de 90 dias para estornar este pagamento terminou.' },
  REFUND_EXCEEDS_PAYMENT: { status: 400, message: 'O valor passa do que ainda pode ser estornado.' },
  REFUND_NOT_FOUND: { status: 404, message: 'Estorno não encontrado.' },
  REFUND_ID_REUSED: { status: 409, message: 'Este id de estorno já foi usado com outros dados.' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, message: 'Endereço de webhook não encontrado.' },
  WEBHOOK_ENDPOINT_LIMIT: { status: 409, message: 'Há no máximo 16 endereços de webhook. Remova um antes.' },
  WEBHOOK_ENDPOINT_OFF: {
    status: 409,
    message: 'Este endereço de webhook está desligado ou foi removido. Ligue-o antes.',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'Entrega de webhook não encontrada.' },
  WEBHOOK_EVENT_FORGOTTEN: {
    status: 409,
    message:
      'O evento desta entrega tem mais de 30 dias e não é mais guardado. Consulte a cobrança ou o saque.',
  },
  EVENT_NOT_FOUND: { status: 404, message: 'Evento não encontrado.' },
  EVENT_CURSOR_UNKNOWN: {
    status: 400,
    message: 'O evento de after não é conhecido, ou tem mais de 30 dias. Leia do começo, sem after.',
  },
  PAYMENT_IN_DISPUTE: {
    status: 409,
    message: 'Este pagamento está em disputa no banco e não pode ser estornado agora.',
  },
  DISPUTE_SHORTFALL: {
    status: 409,
    transient: true,
    message: 'Há um valor de disputa ainda descoberto. Saques e estornos voltam quando ele for coberto.',
  },
  FEES_OVERDUE: {
    status: 403,
    transient: true,
    message: 'Há uma fatura de tarifas vencida. Novas cobranças voltam quando ela for paga.',
  },
  FEE_STATEMENT_NOT_FOUND: { status: 404, message: 'Fatura de tarifas não encontrada.' },
  FEE_STATEMENT_PAID: { status: 409, message: 'Esta fatura de tarifas já está paga.' },
  DISPUTE_NOT_FOUND: { status: 404, message: 'Disputa não encontrada.' },
  DISPUTE_CLOSED: { status: 409, message: 'Esta disputa já foi encerrada.' },
  DISPUTE_TOO_LATE: { status: 409, message: 'O prazo de defesa desta disputa terminou.' },
  DISPUTE_DEFENDED: { status: 409, message: 'A defesa desta disputa já foi enviada.' },
  FILE_NOT_ACCEPTED: { status: 400, message: 'Envie arquivos PDF, PNG ou JPEG.' },
  FILE_TOO_LARGE: { status: 400, message: 'Cada arquivo tem no máximo 2 MB.' },
  PIX_NOT_FOUND: { status: 404, message: 'Pix não encontrado.' },
  SUSPENSE_SETTLED: { status: 409, message: 'Este Pix já foi aceito, atribuído ou devolvido.' },
  SECOND_ADMIN_NEEDED: {
    status: 409,
    message: 'Acima de R$ 1.000, outro administrador precisa confirmar a mesma decisão.',
  },
  PERIOD_INVALID: {
    status: 400,
    message: 'O período é inválido: o início vem antes do fim, e vai até um ano.',
  },
  EXPORT_TOO_LONG: {
    status: 400,
    message: 'O período tem movimentos demais para um arquivo. Escolha um menor.',
  },
  ITEM_CLOSED: { status: 409, message: 'Este item já foi encerrado.' },
  ITEM_STANDS: {
    status: 409,
    message: 'O que este item aponta ainda está como estava: resolva antes de encerrar.',
  },
  RATE_LIMITED: { status: 429, message: 'Muitas tentativas. Aguarde um pouco e tente de novo.' },
  OVERLOADED: { status: 503, message: 'O serviço está ocupado. Tente de novo em instantes.' },
  UNAVAILABLE: {
    status: 503,
    message: 'O serviço está indisponível no momento. Tente de novo em instantes.',
  },
  PAYMENT_PROCESSING_ERROR: {
    status: 500,
    message: 'O banco não confirmou a criação da cobrança. Tente de novo em instantes.',
  },
  INTERNAL: {
    status: 500,
    message: 'Ocorreu um erro inesperado. Tente novamente mais tarde.',
  },
} as const satisfies Record<string, { status: number; message: string; transient?: true }>;

export type ErrorCode = keyof typeof errors;

/** The format of all refusals. `requestId` identifies the request in the operator's log. */
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
