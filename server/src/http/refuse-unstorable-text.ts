import { Refusal } from '../refusal.ts';

type Code = 'INVALID_BODY' | 'INVALID_QUERY';

/** Refuses text that PostgreSQL cannot store unchanged: NUL and lone surrogates. */
export function refuseUnstorableText(given: unknown, code: Code, path: readonly string[] = []): void {
  if (typeof given === 'string' && !isStorableText(given)) throw unkeepable(path, code);
  if (typeof given !== 'object' || given === null) return;
  for (const [name, value] of Object.entries(given)) {
    if (!isStorableText(name)) throw unkeepable(path, code);
    refuseUnstorableText(value, code, [...path, name]);
  }
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function unkeepable(path: readonly string[], code: Code): Refusal {
  const field = path.join('.');
  if (field === '') return new Refusal(code);
  const message = `O campo ${field} tem um caractere que não pode ser guardado.`;
  return new Refusal(code, { message, details: { fields: [{ field, message }] } });
}
