import type { Plugin } from 'vite';

/** A module that exports the given texts by their names. */
export function valuesPlugin(module: `virtual:${string}`, values: Readonly<Record<string, string>>): Plugin {
  const resolved = `\0${module}`;
  const lines = Object.entries(values).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)};`,
  );
  return {
    name: `jangada-${module.replace(':', '-')}`,
    resolveId: (id) => (id === module ? resolved : undefined),
    load: (id) => (id === resolved ? lines.join('\n') : undefined),
  };
}
