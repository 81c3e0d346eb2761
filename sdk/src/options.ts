/** `fetch`, ou uma função que se chama como `fetch`. */
export type Fetch = (address: string, request: RequestInit) => Promise<Response>;

/** As opções de um cliente: valem para todas as chamadas que ele faz. */
export type JangadaOptions = {
  /** O endereço em que o gateway responde, sem `/api`: `https://pix.example.com`. */
  readonly baseUrl: string;
  /**
   * Uma chave de API. Nunca ponha a chave em um site ou aplicativo público: quem vê a chave cobra, estorna e saca em
   * seu nome.
   */
  readonly apiKey: string;
  /** Por quantos milissegundos cada tentativa espera pela resposta. Padrão: 30000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Quantas vezes o SDK repete uma chamada que ficou sem resposta, ou cuja resposta foi 409 `IDEMPOTENCY_IN_PROGRESS`,
   * 429, 500, 502, 503 ou 504. O SDK não repete uma chamada que, repetida, poderia ser executada duas vezes. Padrão: 4.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Quantos milissegundos o SDK espera antes da primeira repetição. A espera dobra a cada repetição, até oito vezes a
   * primeira, e é mais longa se o gateway pede com `Retry-After`. Padrão: 1000.
   */
  readonly retryDelayMs?: number | undefined;
  /** Um `fetch` que o SDK usa em vez do da plataforma: para um proxy, um agente ou um teste. */
  readonly fetch?: Fetch | undefined;
  /**
   * Uma função que o SDK chama depois de cada tentativa, para os seus registros e métricas. Se essa função lança um
   * erro, o SDK o ignora, para que uma falha no registro não faça falhar a chamada.
   */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
};

/** O que aconteceu em uma tentativa de uma chamada. */
export type Attempt = {
  /** O nome da chamada, como na documentação: `createPayment`. */
  readonly operation: string;
  /** O número da tentativa. A primeira tentativa é 1. */
  readonly attempt: number;
  /** O status HTTP. `undefined` quando não houve resposta. */
  readonly status: number | undefined;
  /** O id com que o suporte acha a chamada. `undefined` quando a resposta não traz um. */
  readonly requestId: string | undefined;
  /** A `Idempotency-Key` enviada. `undefined` em uma chamada sem essa chave. */
  readonly idempotencyKey: string | undefined;
  /** Se o gateway repetiu a resposta de uma chamada anterior com a mesma `Idempotency-Key`. */
  readonly replayed: boolean;
  /** O código do erro. `undefined` quando a tentativa deu certo. */
  readonly errorCode: string | undefined;
};

/** As opções de uma única chamada. Elas prevalecem sobre as opções do cliente. */
export type CallOptions = {
  /** Um sinal que interrompe a chamada, também enquanto o SDK espera para repetir. */
  readonly signal?: AbortSignal | undefined;
  /** Por quantos milissegundos cada tentativa desta chamada espera pela resposta. Padrão: o do cliente. */
  readonly timeoutMs?: number | undefined;
  /** Quantas vezes o SDK repete esta chamada. Padrão: o do cliente. */
  readonly maxRetries?: number | undefined;
};

/** As opções de uma chamada que leva uma `Idempotency-Key`, como toda chamada que move dinheiro. */
export type KeyedCallOptions = CallOptions & {
  /**
   * Uma chave para cada intenção, de 1 a 255 caracteres visíveis, como o número do pedido. Durante 24 horas, chamadas
   * com a mesma chave e o mesmo corpo são executadas uma vez só. Sem esta opção, o SDK gera uma chave nova para cada
   * chamada, e usa a mesma chave nas repetições dessa chamada.
   */
  readonly idempotencyKey?: string | undefined;
};
