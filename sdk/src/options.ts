/** `fetch`, ou algo que se chama como ele. */
export type Fetch = (address: string, request: RequestInit) => Promise<Response>;

export type JangadaOptions = {
  /** Onde o gateway responde, sem `/api`: `https://pix.example.com`. */
  readonly baseUrl: string;
  /** Uma chave de API. Nunca em um site ou aplicativo público: quem a vê cobra, estorna e saca por você. */
  readonly apiKey: string;
  /** Quanto se espera por uma resposta, em milissegundos, a cada tentativa. Padrão: 30000. */
  readonly timeoutMs?: number | undefined;
  /** Quantas vezes uma chamada sem resposta, ou com 409 em andamento, 429, 500, 502, 503 ou 504, é repetida. Padrão: 4. */
  readonly maxRetries?: number | undefined;
  /** Espera antes da primeira repetição, em milissegundos; dobra a cada uma. `Retry-After` a alonga. Padrão: 1000. */
  readonly retryDelayMs?: number | undefined;
  /** Outro `fetch` que o da plataforma: um proxy, um agente, um teste. */
  readonly fetch?: Fetch | undefined;
  /** Ouve cada tentativa, para registros e métricas. O que ele lança é ignorado: uma chamada feita não falha por causa dele. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
};

/** Uma tentativa de uma chamada. */
export type Attempt = {
  /** A chamada, como na documentação: `createPayment`. */
  readonly operation: string;
  /** A primeira tentativa é 1. */
  readonly attempt: number;
  /** O status HTTP. `undefined` quando não houve resposta. */
  readonly status: number | undefined;
  /** Com ele o suporte acha a chamada. */
  readonly requestId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** A resposta é a de uma chamada anterior com a mesma chave. */
  readonly replayed: boolean;
  /** O código do erro. `undefined` quando deu certo. */
  readonly errorCode: string | undefined;
};

/** De uma chamada só. */
export type CallOptions = {
  /** Interrompe a chamada, também enquanto espera para repetir. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
};

/** De uma chamada que move dinheiro. */
export type KeyedCallOptions = CallOptions & {
  /**
   * Um valor para cada intenção, de 1 a 255 caracteres visíveis: o número do pedido. A mesma chave com o mesmo corpo é feita
   * uma vez só, por 24 horas. Sem ela, cada chamada faz uma, que suas repetições levam.
   */
  readonly idempotencyKey?: string | undefined;
};
