import { type CallOperation, everyPage } from './call.ts';
import type {
  Balance,
  CreatedWithdrawal,
  NewWithdrawal,
  Withdrawal,
  WithdrawalsPage,
  WithdrawalsQuery,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/** Os saques da conta. **Os valores são em centavos**, inteiros: `10000` são R$ 100,00. */
export class Withdrawals {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Saca para um destino salvo no painel. O desfecho chega pelo evento `withdrawal.paid` ou `withdrawal.error`; `get`
   * também o mostra.
   */
  create(body: NewWithdrawal, options?: KeyedCallOptions): Promise<CreatedWithdrawal> {
    return this.#call('apiWithdraw', { body }, options);
  }

  /** Lê o estado de um saque, pelo seu `withdrawal_id`. */
  get(id: string, options?: CallOptions): Promise<Withdrawal> {
    return this.#call('apiGetWithdrawal', { id }, options);
  }

  /**
   * Lê uma página de saques, do mais novo para o mais antigo. Para ler a página seguinte, passe `before: page.next`.
   */
  list(query: WithdrawalsQuery = {}, options?: CallOptions): Promise<WithdrawalsPage> {
    return this.#call('apiListWithdrawals', { query }, options);
  }

  /** Lê todos os saques que a busca acha, página a página. */
  async *listAll(query: WithdrawalsQuery = {}, options?: CallOptions): AsyncGenerator<Withdrawal, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }
}

/** O saldo da conta. **Os valores são em reais.** */
export class AccountBalance {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Lê o saldo atual: o disponível, o que está em reserva, o bloqueado por disputas e o que está a caminho. */
  get(options?: CallOptions): Promise<Balance> {
    return this.#call('getBalance', {}, options);
  }
}
