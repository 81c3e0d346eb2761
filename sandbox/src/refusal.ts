/** The HTTP status of each refusal of the sandbox's own. In their names, CODE is the Pix copy-and-paste code. */
const REFUSAL_STATUS = {
  INVALID_REQUEST: 400,
  INVALID_CODE: 400,
  INVALID_AMOUNT: 400,
  AMOUNT_REQUIRED: 400,
  UNSUPPORTED_CODE: 422,
  // A valid code of another institution.
  FOREIGN_CODE: 422,
  AMOUNT_MISMATCH: 422,
  AMOUNT_EXCEEDED: 422,
  INSUFFICIENT_FUNDS: 422,
  KEY_NOT_FOUND: 404,
  CHARGE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  KEY_TAKEN: 409,
  // The bank has no listener that demands client certificates.
  NO_CERTIFICATES: 409,
  CHARGE_PAID: 409,
  CHARGE_EXPIRED: 409,
  CHARGE_REMOVED: 409,
  // A mandate or a debit of Pix Automático that can no longer be changed.
  MANDATE_ENDED: 409,
  DISPUTE_OPEN: 409,
  DISPUTE_CLOSED: 409,
  FORBIDDEN_ORIGIN: 403,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL_ERROR: 500,
} as const;

export type RefusalCode = keyof typeof REFUSAL_STATUS;

/**
 * An error of the sandbox's own endpoints and pages, which are no part of the simulated bank's API. The message is in
 * Portuguese because the payer reads it.
 */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return REFUSAL_STATUS[this.code];
  }

  get body(): { success: false; error: { code: RefusalCode; message: string } } {
    return { success: false, error: { code: this.code, message: this.message } };
  }
}

/** A violated rule, in the format of BACEN's schema Violacao. */
export interface Violation {
  readonly razao: string;
  readonly propriedade: string;
  readonly valor?: string;
}

/** The HTTP status and title of each problem type. */
const PROBLEMS = {
  RequisicaoInvalida: [400, 'Requisição inválida.'],
  AcessoNegado: [403, 'Acesso Negado'],
  NaoEncontrado: [404, 'Não Encontrado'],
  ErroInternoDoServidor: [500, 'Erro interno do servidor.'],
  ServicoIndisponivel: [503, 'Serviço Indisponível'],
  CobNaoEncontrado: [404, 'Cobrança não encontrada.'],
  CobOperacaoInvalida: [400, 'Cobrança inválida.'],
  CobConsultaInvalida: [400, 'Consulta inválida.'],
  CobVNaoEncontrada: [404, 'Cobrança não encontrada.'],
  CobVOperacaoInvalida: [400, 'Cobrança inválida.'],
  CobVConsultaInvalida: [400, 'Consulta inválida.'],
  LoteCobVNaoEncontrado: [404, 'Lote não encontrado.'],
  LoteCobVOperacaoInvalida: [400, 'Lote de cobranças inválido.'],
  LoteCobVConsultaInvalida: [400, 'Consulta inválida.'],
  RecNaoEncontrada: [404, 'Recorrência não encontrada.'],
  RecOperacaoInvalida: [400, 'Operação inválida.'],
  RecConsultaInvalida: [400, 'Consulta inválida.'],
  RecPayloadNaoEncontrado: [404, 'Recorrência não encontrada.'],
  RecPayloadOperacaoInvalida: [400, 'Recorrência não encontrada.'],
  SolicRecNaoEncontrada: [404, 'Solicitação não encontrada.'],
  SolicRecOperacaoInvalida: [400, 'Operação inválida.'],
  CobRNaoEncontrado: [404, 'Cobrança não encontrada.'],
  CobROperacaoInvalida: [400, 'Operação inválida.'],
  CobRConsultaInvalida: [400, 'Consulta inválida.'],
  PayloadLocationRecNaoEncontrado: [404, 'Location não encontrada.'],
  PayloadLocationRecConsultaInvalida: [400, 'Consulta inválida.'],
  WebhookRecOperacaoInvalida: [400, 'Webhook inválido.'],
  WebhookCobROperacaoInvalida: [400, 'Webhook inválido.'],
  CobPayloadNaoEncontrado: [404, 'Cobrança não encontrada.'],
  CobPayloadOperacaoInvalida: [400, 'Consulta inválida.'],
  PayloadLocationNaoEncontrado: [404, 'Location não encontrada.'],
  PayloadLocationOperacaoInvalida: [400, 'Location inválida.'],
  PayloadLocationConsultaInvalida: [400, 'Consulta inválida.'],
  PixNaoEncontrado: [404, 'Pix não encontrado.'],
  PixDevolucaoNaoEncontrada: [404, 'Devolução não encontrada.'],
  PixDevolucaoInvalida: [400, 'Devolução inválida.'],
  PixEnviadoNaoEncontrado: [404, 'Não Encontrado'],
  InfracaoNaoEncontrada: [404, 'Não Encontrado'],
  InfracaoOperacaoInvalida: [409, 'Operação Inválida'],
  InfracoesConsultaInvalida: [400, 'Consulta Inválida'],
  PixConsultaInvalida: [400, 'Consulta inválida.'],
  WebhookNaoEncontrado: [404, 'Webhook não encontrado.'],
  WebhookOperacaoInvalida: [400, 'Webhook inválido.'],
  WebhookConsultaInvalida: [400, 'Consulta inválida.'],
} as const;

export type ProblemType = keyof typeof PROBLEMS;

/** An error of the Pix API: an RFC 7807 problem with a type of BACEN's specification. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(
    type: ProblemType,
    detail: string,
    options: { violations?: Violation[]; status?: number } = {},
  ) {
    super(detail);
    const [status, title] = PROBLEMS[type];
    this.status = options.status ?? status;
    this.body = {
      type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
      title,
      status: this.status,
      detail,
      ...(options.violations !== undefined && { violacoes: options.violations }),
    };
  }
}

/** The HTTP status of each of Efí's error names. */
const EFI_STATUS = {
  json_invalido: 400,
  valor_invalido: 400,
  chave_invalida: 400,
  chave_nao_pertence_ao_documento: 400,
  saldo_insuficiente: 400,
  chave_favorecido_nao_encontrada: 404,
  id_envio_duplicado: 409,
  pagamento_negado: 422,
} as const;

export type EfiErrorName = keyof typeof EFI_STATUS;

/** An error of an endpoint that BACEN does not standardise, in the format of the bank Efí. */
export class EfiError extends Error {
  override readonly name = 'EfiError';
  readonly status: number;
  readonly body: { nome: EfiErrorName; mensagem: string };

  constructor(nome: EfiErrorName, mensagem: string) {
    super(mensagem);
    this.status = EFI_STATUS[nome];
    this.body = { nome, mensagem };
  }
}
