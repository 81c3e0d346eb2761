import { expect, test } from 'vitest';
import { draftOf, problemsOf } from './link-draft.ts';

const rules = { maxCents: null, fee: null };

test.each(['12026-12-01T10:00', '275760-01-01T00:00'])(
  'an end that cannot be converted to a time, %s, is a problem of its field',
  (endsAt) => {
    const draft = { ...draftOf(null), title: 'Camiseta', pricing: 'open', endsAt } as const;
    expect(problemsOf(draft, null, rules, Date.now())).toEqual({ endsAt: 'Informe uma data que existe.' });
  },
);
