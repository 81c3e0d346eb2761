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

/** Saques. **Valores em centavos**, inteiros: `10000` são R$ 100,00. */
export class Withdrawals {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Saca para um destino salvo no painel. O desfecho vem por `withdrawal.paid` ou `withdrawal.error`, ou por `get`. */
  create(body: NewWithdrawal, options?: KeyedCallOptions): Promise<CreatedWithdrawal> {
    return this.#call('apiWithdraw', { body }, options);
  }

  /** O estado de um saque, pelo seu `withdrawal_id`. */
  get(id: string, options?: CallOptions): Promise<Withdrawal> {
    return this.#call('apiGetWithdrawal', { id }, options);
  }

  /** Uma página de saques, do mais novo para o mais antigo. A seguinte começa em `before: page.next`. */
  list(query: WithdrawalsQuery = {}, options?: CallOptions): Promise<WithdrawalsPage> {
    return this.#call('apiListWithdrawals', { query }, options);
  }

  /** Todos os saques que a busca acha, página a página. */
  async *listAll(query: WithdrawalsQuery = {}, options?: CallOptions): AsyncGenerator<Withdrawal, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }
}

/** O saldo da conta. **Valores em reais.** */
export class AccountBalance {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** O saldo agora: disponível, em reserva, bloqueado por disputas e a caminho. */
  get(options?: CallOptions): Promise<Balance> {
    return this.#call('getBalance', {}, options);
  }
}
