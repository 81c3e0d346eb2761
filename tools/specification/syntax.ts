import { parseSync } from 'vite';
import type { Source } from '../sources.ts';

/** A node of an ESTree, as far as it is looked at here. */
export type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** @throws when the file has an error of syntax */
export function parse({ path, text }: Source): Node {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return { ...program };
}

export function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    (Array.isArray(value) ? value : [value]).filter(looksLikeNode),
  );
}

function looksLikeNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function child(node: Node, name: string): Node | undefined {
  const value = node[name];
  return looksLikeNode(value) ? value : undefined;
}

export function list(node: Node, name: string): Node[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(looksLikeNode) : [];
}

export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const inner of children(node)) walk(inner, visit);
}

/** Whether something of it is so. */
export function some(node: Node, is: (node: Node) => boolean): boolean {
  return is(node) || children(node).some((inner) => some(inner, is));
}

export function nameOf(node: Node | undefined): string | undefined {
  const name = node?.['name'];
  return typeof name === 'string' ? name : undefined;
}

/** The text that a literal, a piece of a template, of JSX or of a pattern stands for. Comments are none of them. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') {
    const { value, regex } = node;
    if (typeof value === 'string') return plain(value);
    const pattern =
      typeof regex === 'object' && regex !== null && 'pattern' in regex ? regex.pattern : undefined;
    return typeof pattern === 'string' ? plain(unescaped(pattern)) : undefined;
  }
  if (node.type === 'JSXText') return typeof node['value'] === 'string' ? plain(node['value']) : undefined;
  if (node.type !== 'TemplateElement') return undefined;
  const { value } = node;
  return typeof value === 'object' && value !== null && 'cooked' in value && typeof value.cooked === 'string'
    ? plain(value.cooked)
    : undefined;
}

function unescaped(pattern: string): string {
  return pattern.replaceAll('\\s', ' ').replace(/\\(\W)/g, '$1');
}

/** Blanks of every kind are one blank. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** What a numeric expression of literals comes to. */
export function numberOf(node: Node | undefined): number | undefined {
  if (node === undefined) return undefined;
  if (node.type === 'Literal') return typeof node['value'] === 'number' ? node['value'] : undefined;
  if (node.type !== 'BinaryExpression' || node['operator'] !== '*') return undefined;
  const [left, right] = [numberOf(child(node, 'left')), numberOf(child(node, 'right'))];
  return left === undefined || right === undefined ? undefined : left * right;
}
