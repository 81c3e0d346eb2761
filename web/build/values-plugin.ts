import type { Plugin } from 'vite';

type Values = Readonly<Record<string, unknown>>;

/**
 * A module that exports values by name, serialised as JSON; a function is called when the module is first imported.
 */
export function valuesPlugin(module: `virtual:${string}`, values: Values | (() => Promise<Values>)): Plugin {
  const resolved = `\0${module}`;
  return {
    name: `jangada-${module.replace(':', '-')}`,
    resolveId: (id) => (id === module ? resolved : undefined),
    async load(id) {
      if (id !== resolved) return undefined;
      const given = typeof values === 'function' ? await values() : values;
      return Object.entries(given)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}
