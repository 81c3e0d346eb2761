import type { Maker } from '@jangada/contract';
import { session } from '../../session/session.ts';

/** `Joana Dias`, or `Joana Dias (não é mais membro)`. */
export function makerText({ name, member }: Maker): string {
  return member ? name : `${name} (não é mais membro)`;
}

/**
 * `por Joana Dias`, for a list, as a list to spread. It is empty for what the person who reads it made themself, so that
 * whoever acts alone does not read their own name on every line.
 */
export function otherMakerName(maker: Maker | null): readonly string[] {
  return maker === null || maker.id === session.getState().user?.id ? [] : [`por ${maker.name}`];
}
