/** A violated rule, in the format of BACEN's schema Violacao. */
export interface Violation {
  readonly razao: string;
  readonly propriedade: string;
  readonly valor?: string;
}

const TITLES = {
  RequisicaoInvalida: [400, 'Requisição inválida.'],
  AcessoNegado: [403, 'Acesso Negado'],
  NaoEncontrado: [404, 'Não Encontrado'],
  ErroInternoDoServidor: [500, 'Erro interno do servidor.'],
  ServicoIndisponivel: [503, 'Serviço Indisponível'],
  CobNaoEncontrado: [404, 'Cobrança não encontrada.'],
  CobOperacaoInvalida: [400, 'Cobrança inválida.'],
  CobConsultaInvalida: [400, 'Consulta inválida.'],
  CobPayloadNaoEncontrado: [404, 'Cobrança não encontrada.'],
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

export type ProblemType = keyof typeof TITLES;

/** An expected refusal by the API Pix, sent as RFC 7807 with the problem types of BACEN's specification. */
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
    const [status, title] = TITLES[type];
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
