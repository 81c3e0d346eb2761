/** The particles of Portuguese names (da, dos, e), which have no initial. */
const nameParticle = /^(?:d[aeo]s?|e)$/i;

/** The first letters of a person's first two names, in capitals. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !nameParticle.test(word));
  return words
    .slice(0, 2)
    .map((word) => (Array.from(word)[0] ?? '').toLocaleUpperCase('pt-BR'))
    .join('');
}

/** The first name of a person, for a greeting. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? '';
}
