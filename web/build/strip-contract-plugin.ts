import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** What a browser does not need of an endpoint: it writes requests and does not read them, and shows no documentation. */
const unneeded = new Set([
  ...[
    'body',
    'query',
    'params',
    'tag',
    'summary',
    'aliases',
    'example',
    'maxBodyBytes',
    'status',
    'file',
    'isBatchable',
    'permission',
    'scope',
    'ability',
  ],
]);

/**
 * Leaves out of the contract what only servers, documentation and tests read: from each endpoint what only they need of it,
 * the errors whose sentences the dashboard never writes by itself, because they arrive with a refusal, and then the schemas that nothing refers to any more. A bundler keeps those by itself, because it cannot know that
 * `z.string().check(...)` changes nothing; here each is marked as a call without effects.
 */
export function stripContractPlugin(): Plugin {
  let shown: ReadonlySet<string> = new Set();
  return {
    name: 'jangada-strip-contract',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      shown = shownErrors();
    },
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler(code) {
        const edits: Edit[] = [];
        const program = this.parse(code);
        const leaveOut = (object: unknown, isUnneeded: (name: string) => boolean) => {
          for (const property of asNodes(isNode(object) ? object['properties'] : undefined)) {
            if (property['type'] !== 'Property' || !isUnneeded(nameOf(property['key']) ?? '')) continue;
            const comma = /^\s*,/.exec(code.slice(endOf(property)))?.[0].length ?? 0;
            edits.push({ start: startOf(property), end: endOf(property) + comma, text: '' });
          }
        };
        visit(program, (node) => {
          if (node['type'] === 'CallExpression' && nameOf(node['callee']) === 'endpoint')
            leaveOut(asNodes(node['arguments'])[0], (name) => unneeded.has(name));
          if (node['type'] === 'VariableDeclarator' && /^errors$|Errors$/.test(nameOf(node['id']) ?? ''))
            leaveOut(node['init'], (code) => !shown.has(code));
        });
        for (const call of topLevelCalls(program)) {
          edits.push({ start: startOf(call), end: startOf(call), text: '/* @__PURE__ */ (() => ' });
          edits.push({ start: endOf(call), end: endOf(call), text: ')()' });
        }
        edits.sort((left, right) => right.start - left.start);
        let stripped = code;
        for (const { start, end, text } of edits)
          stripped = stripped.slice(0, start) + text + stripped.slice(end);
        return { code: stripped, map: null };
      },
    },
  };
}

/** The codes of the errors that the dashboard's code names. It names each as `errors.CODE`, or the build fails. */
function shownErrors(): ReadonlySet<string> {
  const source = fileURLToPath(new URL('../src', import.meta.url));
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter(
    (file) => !/\.test\.|^testing\//.test(file),
  );
  const codes = files.flatMap((file) => {
    const text = readFileSync(`${source}/${file}`, 'utf8');
    if (!/import \{[^}]*\berrors\b[^}]*\} from '@jangada\/contract'/.test(text)) return [];
    if (/\berrors\s*(?:\[|as\b|;)/.test(text)) throw new Error(`${file}: name an error as errors.CODE.`);
    return [...text.matchAll(/\berrors\.([A-Z_0-9]+)/g)].map(([, code = '']) => code);
  });
  return new Set(codes);
}

type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** The calls whose results are the values of constants of the module. */
function topLevelCalls(program: unknown): Node[] {
  return asNodes(isNode(program) ? program['body'] : undefined)
    .map((statement) =>
      statement['type'] === 'ExportNamedDeclaration' ? statement['declaration'] : statement,
    )
    .flatMap((declaration) => asNodes(isNode(declaration) ? declaration['declarations'] : undefined))
    .map(({ init }) => init)
    .filter(isNode)
    .filter(({ type }) => type === 'CallExpression');
}

type Node = Readonly<Record<string, unknown>>;

function visit(value: unknown, each: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, each);
  else if (isNode(value)) {
    each(value);
    for (const child of Object.values(value)) visit(child, each);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asNodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const nameOf = (value: unknown): string | undefined =>
  isNode(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
const startOf = ({ start }: Node) => Number(start);
const endOf = ({ end }: Node) => Number(end);
