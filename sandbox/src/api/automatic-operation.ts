import type { z } from 'zod';
import { Problem, type ProblemType, type Violation } from '../refusal.ts';

/** The names under which BACEN's list of violations knows what a request of Pix Automático is about. */
export type AutomaticSubject = 'rec' | 'solicrec' | 'cobr';

const INVALID: Readonly<Record<AutomaticSubject, readonly [ProblemType, string]>> = {
  rec: ['RecOperacaoInvalida', 'A requisição que busca alterar ou criar uma recorrência é inválida.'],
  solicrec: ['SolicRecOperacaoInvalida', 'A requisição sobre a solicitação de recorrência é inválida.'],
  cobr: ['CobROperacaoInvalida', 'A requisição sobre a cobrança recorrente é inválida.'],
};

/** Returns a RecOperacaoInvalida, SolicRecOperacaoInvalida or CobROperacaoInvalida with one violation. */
export function invalidAutomatic(
  subject: AutomaticSubject,
  property: string,
  razao: string,
  valor?: string,
): Problem {
  const violation = { razao, propriedade: `${subject}.${property}`, ...(valor !== undefined && { valor }) };
  return invalidAutomaticRequest(subject, [violation]);
}

export function invalidAutomaticRequest(subject: AutomaticSubject, violations: Violation[]): Problem {
  const [type, detail] = INVALID[subject];
  return new Problem(type, detail, { violations });
}

/** Parses a request. Throws with every violation; those inside one of `wholeObjects` name the object. */
export function parseAutomatic<T>(
  subject: AutomaticSubject,
  schema: z.ZodType<T>,
  body: unknown,
  wholeObjects: readonly string[],
): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const properties = new Set(
    error.issues.map(({ path }) => {
      const text = path.map(String).join('.');
      return wholeObjects.find((name) => text === name || text.startsWith(`${name}.`)) ?? text;
    }),
  );
  throw invalidAutomaticRequest(
    subject,
    [...properties].map((name) => {
      const propriedade = name === '' ? subject : `${subject}.${name}`;
      const isObject = name === '' || wholeObjects.includes(name);
      return {
        razao: `O ${isObject ? 'objeto' : 'campo'} ${propriedade} não respeita o schema.`,
        propriedade,
      };
    }),
  );
}
