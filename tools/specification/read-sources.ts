import { isTest, type Source, sources } from '../sources.ts';
import { child, type Node, nameOf, numberOf, parse, textOf, walk } from './syntax.ts';

/** Code that people or programs meet: no tests, no stand-ins of tests. */
const product: readonly Source[] = [
  'contract/src',
  'pix/src',
  'server/src',
  'web/src',
  'web/build',
  'sandbox/src',
].flatMap((folder) =>
  sources(folder, '.ts', '.tsx').filter(({ path }) => !isTest(path) && !path.includes('/testing/')),
);
const others: readonly Source[] = ['server/migrations', 'web', 'docs'].flatMap((folder) =>
  sources(folder, '.sql', '.css', '.html', '.md'),
);

/** Files that hold a text in a string, a template or the text of an element. */
export function filesThatSay(text: string): string[] {
  return product
    .filter((source) => mayHold(source, text) && literalsOf(source).some((one) => one.includes(text)))
    .map(({ path }) => path);
}

function mayHold({ text: code }: Source, text: string): boolean {
  const [longest = ''] = text.split(/[^\p{L}\d]+/u).toSorted((a, b) => b.length - a.length);
  return code.includes(longest);
}

const trees = new Map<string, Node>();
function treeOf(source: Source): Node {
  const known = trees.get(source.path) ?? parse(source);
  trees.set(source.path, known);
  return known;
}

const literals = new Map<string, readonly string[]>();
function literalsOf(source: Source): readonly string[] {
  const known = literals.get(source.path) ?? readLiterals(source);
  literals.set(source.path, known);
  return known;
}

function readLiterals(source: Source): string[] {
  const found: string[] = [];
  walk(treeOf(source), (node) => {
    const text = textOf(node);
    if (text !== undefined) found.push(text);
  });
  return found;
}

/** Where something named lives: `file`, and the name when it is not the file itself. Several files: several places. */
export function placesOf(name: string): string[] {
  if (name.includes('/')) return [...product, ...others].some(({ path }) => path === name) ? [name] : [];
  const declared = new RegExp(`\\b(?:const|let|function\\*?|class|type) ${name}\\b(?! as\\b|,| \\})`);
  return product.filter(({ text }) => declared.test(text)).map(({ path }) => path);
}

/** The number that a constant is declared as. */
export function numberNamed(name: string): number | undefined {
  for (const source of product.filter(({ text }) => text.includes(`const ${name} =`))) {
    let value: number | undefined;
    walk(treeOf(source), (node) => {
      if (node.type === 'VariableDeclarator' && nameOf(child(node, 'id')) === name)
        value ??= numberOf(child(node, 'init'));
    });
    if (value !== undefined) return value;
  }
  return undefined;
}

export function treeOfFile(path: string): Node {
  const source = product.find((one) => one.path === path);
  if (source === undefined) throw new Error(`${path} is no file of the product`);
  return treeOf(source);
}
