import { isDeepStrictEqual } from 'node:util';
import { isChargeTxid } from '@jangada/pix';
import type { Bank } from '../bank.ts';
import { applyAvailability } from '../misbehave.ts';
import type { Location, SandboxChargeStatus } from '../records.ts';
import { Problem, type ProblemType, type Violation } from '../refusal.ts';
import { invalidAutomaticRequest } from './automatic-operation.ts';
import { asQuery, readText } from './list-query.ts';

/** The two kinds of charge: `cob`, an immediate one, and `cobv`, one with a due date. */
type ChargeKind = Location['kind'];

/** What every charge has that can be revised. */
interface Revisable<T> {
  readonly status: SandboxChargeStatus;
  readonly terms: T;
  readonly earlier: readonly T[];
}

const INVALID_OPERATION = {
  cob: ['CobOperacaoInvalida', 'A requisição que busca alterar ou criar uma cobrança é inválida.'],
  cobv: [
    'CobVOperacaoInvalida',
    'A requisição que busca alterar ou criar uma cobrança com vencimento é inválida.',
  ],
} as const;

/** Returns a CobOperacaoInvalida or CobVOperacaoInvalida with the given violations. */
export function invalidOperation(kind: ChargeKind, violations: Violation[]): Problem {
  const [type, detail] = INVALID_OPERATION[kind];
  return new Problem(type, detail, { violations });
}

/**
 * Refuses a txid that is malformed, or that a charge of another kind has: a receiver uses each txid once. A recurring
 * charge cannot be altered, so it needs a txid that nothing has.
 */
export function requireTxidFor(kind: ChargeKind | 'cobr', { books }: Bank, txid: string): void {
  const refuse = (razao: string) => {
    const violations = [{ razao, propriedade: 'txid', valor: txid }];
    return kind === 'cobr' ? invalidAutomaticRequest(kind, violations) : invalidOperation(kind, violations);
  };
  if (!isChargeTxid(txid)) throw refuse('O txid tem de 26 a 35 letras e dígitos.');
  if (kind === 'cobr' && books.automatic.cobrs.has(txid))
    throw refuse('O campo cobr.txid encontra-se em uso.');
  const takenBy = [
    ...(kind !== 'cob' && books.charges.has(txid) ? ['imediata'] : []),
    ...(kind !== 'cobv' && books.cobvs.has(txid) ? ['com vencimento'] : []),
    ...(books.automatic.cobrs.has(txid) ? ['recorrente'] : []),
  ];
  if (takenBy.length > 0) throw refuse(`O txid já é de uma cobrança ${takenBy[0]}.`);
}

/**
 * Returns the charge with a new revision if the terms change or `alwaysAddRevision` is set, or else unchanged. Throws
 * if the charge is not active, because only an active charge may be altered.
 */
export function alterCharge<T, C extends Revisable<T>>(
  kind: ChargeKind,
  current: C & Revisable<T>,
  terms: T,
  method: 'PUT' | 'PATCH',
  alwaysAddRevision = false,
): C & { terms: T; earlier: T[] } {
  if (current.status !== 'ATIVA') {
    const subject = method === 'PUT' ? 'A cobrança já existe, não está' : 'A cobrança não está';
    throw invalidOperation(kind, [
      {
        razao: `${subject} ATIVA, e a presente requisição busca alterá-la.`,
        propriedade: `${kind}.status`,
        valor: current.status,
      },
    ]);
  }
  const isSame = !alwaysAddRevision && isDeepStrictEqual(current.terms, terms);
  return { ...current, terms, earlier: isSame ? [...current.earlier] : [...current.earlier, current.terms] };
}

/** Reads the parameter `revisao`. Throws a problem of the given type if the charge has no such revision. */
export function readRevision(
  type: ProblemType,
  query: unknown,
  { earlier }: { readonly earlier: readonly unknown[] },
): number | undefined {
  const text = readText(asQuery(query), 'revisao');
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) <= earlier.length) return Number(text);
  throw new Problem(type, 'A revisão não existe.', {
    violations: [
      {
        razao: 'O parâmetro revisao corresponde a uma revisão inexistente.',
        propriedade: 'revisao',
        valor: text,
      },
    ],
  });
}

/** Delays or refuses a call about charges, or returns `hang`, as configured by the behaviour `charges`. */
export function delayOrRefuseChargeCall(bank: Bank): Promise<'work' | 'hang'> {
  const { charges, slowSeconds } = bank.books.behaviour;
  return applyAvailability(charges, slowSeconds);
}
