import type { ApprovalDetail, ApprovalKind } from '@jangada/contract';
import { session } from '../../session/session.ts';

// An approval binds to exactly what was asked for, its reason included. Whoever goes from an approved request to where
// it is concluded finds the form as it was filled in.

type Order = Readonly<Record<string, unknown>>;
let concluding: { readonly kind: ApprovalKind; readonly order: Order } | null = null;

session.subscribe(({ token }) => {
  if (token === null) concluding = null;
});

/** To be called when the person leaves an approved request of their own to conclude it. */
export function rememberApproved({ kind, document }: ApprovalDetail): void {
  const order = orderOf(document);
  concluding = order === undefined ? null : { kind, order };
}

/** What was asked for, as the text of a request has it; undefined for a text that cannot be read. */
export function orderOf(document: string): Order | undefined {
  try {
    return (JSON.parse(document) as { order?: Order }).order;
  } catch {
    return undefined;
  }
}

/** The order that the person is about to conclude, if it is of this kind and about this thing. */
export function approvedOrder(
  kind: ApprovalKind,
  about: Readonly<Record<string, string>> = {},
): Order | undefined {
  if (concluding?.kind !== kind) return undefined;
  const { order } = concluding;
  return Object.entries(about).every(([name, value]) => String(order[name]) === value) ? order : undefined;
}

/** The reason under which it was approved; empty if nothing was. */
export function approvedReason(kind: ApprovalKind, about?: Readonly<Record<string, string>>): string {
  const reason = approvedOrder(kind, about)?.['reason'];
  return typeof reason === 'string' ? reason : '';
}
