import type { Source } from '../sources.ts';
import { child, children, list, type Node, nameOf, parse, some, textOf, walk } from './syntax.ts';

export type FoundTest = {
  readonly path: string;
  readonly title: string;
  /** With the names of the groups that it stands in. */
  readonly fullTitle: string;
  /** Texts that it looks for, on a screen or in an answer. What it gives to stand-ins, or says must be absent, is not. */
  readonly looksFor: readonly string[];
};

/** The tests of a file. */
export function readTests(source: Source): FoundTest[] {
  const program = parse(source);
  const file = declarationsOf(program);
  const found: FoundTest[] = [];
  const visit = (node: Node, groups: readonly string[]): void => {
    const block = blockOf(node);
    if (block === undefined) {
      for (const inner of children(node)) visit(inner, groups);
      return;
    }
    const { kind, title, table, body } = block;
    if (kind === 'describe') {
      visit(body, [...groups, title]);
      return;
    }
    const looksFor = new Set<string>();
    collect(body, false, file, looksFor);
    if (table !== undefined && some(body, isLook)) collect(table, true, file, looksFor);
    const fullTitle = [...groups, title].join(' › ');
    found.push({ path: source.path, title, fullTitle, looksFor: [...looksFor] });
  };
  visit(program, []);
  return found;
}

type Block = { kind: 'describe' | 'test'; title: string; table: Node | undefined; body: Node };

/** `test('…', …)`, `test.each(table)('…', …)`, `describe…` */
function blockOf(node: Node): Block | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = child(node, 'callee');
  const each = callee?.type === 'CallExpression' ? callee : undefined;
  const member = each === undefined ? undefined : child(each, 'callee');
  const kind = nameOf(member === undefined ? callee : child(member, 'object'));
  if (kind !== 'test' && kind !== 'describe') return undefined;
  const [name, ...rest] = list(node, 'arguments');
  const body = rest.at(-1);
  if (name === undefined || body === undefined) return undefined;
  return { kind, title: titleOf(name), table: each && list(each, 'arguments')[0], body };
}

function titleOf(node: Node): string {
  if (node.type !== 'TemplateLiteral') return textOf(node) ?? '';
  return list(node, 'quasis')
    .map((quasi) => textOf(quasi) ?? '')
    .join('…');
}

type Declarations = { readonly values: ReadonlyMap<string, Node>; readonly helpers: ReadonlySet<string> };

/** What a file declares: values that tests may name, and functions that look for what they are given. */
function declarationsOf(program: Node): Declarations {
  const values = new Map<string, Node>();
  const helpers = new Set<string>();
  walk(program, (node) => {
    const value = node.type === 'FunctionDeclaration' ? node : child(node, 'init');
    const name = nameOf(child(node, 'id'));
    if (name === undefined || value === undefined) return;
    if (!/Function/.test(value.type)) values.set(name, value);
    else if (some(value, isLook)) helpers.add(name);
  });
  return { values, helpers };
}

const looks =
  /^(getBy|getAllBy|findBy|queryBy|toHave|toBe|toEqual|toContain|toMatch|toStrictEqual|toThrow|stringContaining|stringMatching|objectContaining)/;

/** A call that looks for what it is given. */
function isLook(node: Node): boolean {
  return node.type === 'CallExpression' && looks.test(methodOf(node) ?? '');
}

function methodOf(call: Node): string | undefined {
  const callee = child(call, 'callee');
  return callee?.type === 'MemberExpression' ? nameOf(child(callee, 'property')) : undefined;
}

/** `asserted`: whether what stands here is looked for. */
function collect(node: Node, asserted: boolean, file: Declarations, into: Set<string>): void {
  if (isDenial(node)) return;
  const text = asserted ? textOf(node) : undefined;
  if (text !== undefined) into.add(text);
  if (asserted && node.type === 'Identifier') collectNamed(node, file, into);
  else if (node.type === 'CallExpression') collectCall(node, asserted, file, into);
  else if (node.type === 'ForOfStatement') collectLoop(node, file, into);
  else for (const part of children(node)) collect(part, asserted && !/Function/.test(node.type), file, into);
}

/** `for (const text of ['…', '…']) expect…` */
function collectLoop(node: Node, file: Declarations, into: Set<string>): void {
  const [over, body] = [child(node, 'right'), child(node, 'body')];
  if (over === undefined || body === undefined) return;
  collect(
    over,
    some(body, (inner) => isLook(inner) || callsHelper(inner, file)),
    file,
    into,
  );
  collect(body, false, file, into);
}

function collectNamed(node: Node, file: Declarations, into: Set<string>): void {
  const name = nameOf(node);
  const value = name === undefined ? undefined : file.values.get(name);
  // Once: what names itself has no end.
  if (value !== undefined && name !== undefined) {
    const rest = { ...file, values: new Map([...file.values].filter(([other]) => other !== name)) };
    collect(
      value,
      /^(Literal|TemplateLiteral|ArrayExpression|ObjectExpression|TSAsExpression|TSSatisfiesExpression)$/.test(
        value.type,
      ),
      rest,
      into,
    );
  }
}

function collectCall(node: Node, asserted: boolean, file: Declarations, into: Set<string>): void {
  const callee = child(node, 'callee');
  const given = list(node, 'arguments');
  const overEach =
    /^(forEach|map|flatMap)$/.test(methodOf(node) ?? '') && given.some((one) => some(one, isLook));
  if (callee) collect(callee, asserted || overEach, file, into);
  for (const one of given) collect(one, asserted || isLook(node) || callsHelper(node, file), file, into);
}

function callsHelper(node: Node, { helpers }: Declarations): boolean {
  return node.type === 'CallExpression' && helpers.has(nameOf(child(node, 'callee')) ?? '');
}

/** An expectation that something is absent: `.not.`, `toEqual([])`, `toHaveLength(0)`, `waitFor({ state: 'hidden' })`. */
function isDenial(node: Node): boolean {
  if (node.type === 'AwaitExpression' || node.type === 'ExpressionStatement') return false;
  if (node.type !== 'CallExpression') return false;
  const method = methodOf(node);
  const [first] = list(node, 'arguments');
  if (method === 'waitFor')
    return first !== undefined && some(first, (one) => /^(hidden|detached)$/.test(textOf(one) ?? ''));
  if (!looks.test(method ?? '')) return false;
  if (first?.type === 'ArrayExpression' && list(first, 'elements').length === 0) return true;
  if (/^(toHaveLength|toBe)$/.test(method ?? '') && first?.['value'] === 0) return true;
  const expectation = child(node, 'callee');
  const before = expectation && child(expectation, 'object');
  return before?.type === 'MemberExpression' && nameOf(child(before, 'property')) === 'not';
}
