const STATUS = {
  json_invalido: 400,
  valor_invalido: 400,
  chave_invalida: 400,
  chave_nao_pertence_ao_documento: 400,
  saldo_insuficiente: 400,
  chave_favorecido_nao_encontrada: 404,
  id_envio_duplicado: 409,
  pagamento_negado: 422,
} as const;

export type GnErrorName = keyof typeof STATUS;

/** An expected refusal by a part of the API that BACEN does not standardise, in Efí's format. */
export class GnError extends Error {
  override readonly name = 'GnError';
  readonly status: number;
  readonly body: { nome: GnErrorName; mensagem: string };

  constructor(nome: GnErrorName, mensagem: string) {
    super(mensagem);
    this.status = STATUS[nome];
    this.body = { nome, mensagem };
  }
}
