import { errors } from '@jangada/contract';
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
 * What charges have in the API, and the module with its schemas. The few screens that show it read it by themselves
 * (`readDue`); any other reader drops fields that its schema lacks.
 */
const readApartFromCharges = { fields: new Set(['billed_to', 'due']), module: './due.ts' };

/**
 * Leaves out of the contract what only servers, documentation and tests read: from each endpoint what only they need of it,
 * the table of errors, whose sentences arrive with a refusal, and then the schemas that nothing refers to any more. A
 * bundler keeps those by itself, because it cannot know that `z.string().check(...)` changes nothing; here each is marked
 * as a call without effects. The few errors that the dashboard writes by itself stand where it names them.
 */
export function stripContractPlugin(): Plugin {
  return {
    name: 'jangada-strip-contract',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/(?:contract|web)\/src\/[^?]+\.tsx?$/ },
      handler(code, id) {
        if (id.includes('/web/src/')) return withErrorTexts(code, id);
        const edits: Edit[] = [];
        const program = this.parse(code);
        const leaveOut = (object: unknown, isUnneeded: (name: string) => boolean) => {
          for (const property of asNodes(isNode(object) ? object['properties'] : undefined)) {
            if (!isUnneeded(nameOf(property['key']) ?? '')) continue;
            const comma = /^\s*,/.exec(code.slice(endOf(property)))?.[0].length ?? 0;
            edits.push({ start: startOf(property), end: endOf(property) + comma, text: '' });
          }
        };
        visit(program, (node) => {
          if (node['type'] === 'CallExpression' && nameOf(node['callee']) === 'endpoint')
            leaveOut(asNodes(node['arguments'])[0], (name) => unneeded.has(name));
          if (id.endsWith('/contract/src/charge.ts')) {
            if (node['type'] === 'CallExpression')
              leaveOut(asNodes(node['arguments'])[0], (name) => readApartFromCharges.fields.has(name));
            // A chunk takes along what its modules import, used or not.
            if (node['type'] === 'ImportDeclaration' && isImportOf(node, readApartFromCharges.module))
              edits.push({ start: startOf(node), end: endOf(node), text: '' });
          }
          if (node['type'] === 'VariableDeclarator' && nameOf(node['id']) === 'errors')
            leaveOut(node['init'], () => true);
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

/** Writes the sentences of errors into the code that names each as `errors.CODE.message`, or fails the build. */
function withErrorTexts(code: string, file: string) {
  if (!/import \{[^}]*\berrors\b[^}]*\} from ["']@jangada\/contract["']/.test(code)) return null;
  const texts = new Map<string, { readonly message: string }>(Object.entries(errors));
  const replaced = code.replace(/\berrors\.([A-Z_0-9]+)\.message\b/g, (_, name: string) => {
    const text = texts.get(name)?.message;
    if (text === undefined) throw new Error(`${file}: no error is called ${name}.`);
    return JSON.stringify(text);
  });
  if (/\berrors\s*(?:[.[]|as\b|;)/.test(replaced))
    throw new Error(`${file}: name an error as errors.CODE.message.`);
  return { code: replaced, map: null };
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

const isImportOf = (node: Node, module: string) =>
  isNode(node['source']) && node['source']['value'] === module;
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asNodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
const nameOf = (value: unknown): string | undefined =>
  isNode(value) && typeof value['name'] === 'string' ? value['name'] : undefined;
const startOf = ({ start }: Node) => Number(start);
const endOf = ({ end }: Node) => Number(end);
