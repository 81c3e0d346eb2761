import { abilities, can, roles } from '@jangada/contract';
import { DOCS_PAGE, paths } from '../../web/src/app/paths.ts';
import { treeOfFile } from './read-sources.ts';
import type { ScreenAccess } from './routes.ts';
import { child, list, type Node, nameOf, some, textOf, walk } from './syntax.ts';

const pathByName = new Map<string, string>(Object.entries(paths));

/** Every address that the router opens, and to whom: read from the routes as they are made. */
export function routerEntries(): ReadonlyMap<string, ScreenAccess> {
  const found = new Map<string, ScreenAccess>([[DOCS_PAGE, 'public']]);
  walk(treeOfFile('web/src/app/router.tsx'), (node) => {
    if (node.type !== 'CallExpression' || nameOf(child(node, 'callee')) !== 'createRoute') return;
    const [made] = list(node, 'arguments');
    const path = made && pathIn(made, 'path');
    if (made !== undefined && path !== undefined) found.set(path, entryOf(made));
  });
  return found;
}

/** What the menu calls each address. */
export function menuLabels(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  walk(treeOfFile('web/src/app/layouts/menu-table.ts'), (node) => {
    if (node.type !== 'ObjectExpression') return;
    const [path, label] = [pathIn(node, 'to'), propertyOf(node, 'label')];
    // The support has its own way to the users.
    if (path !== undefined && label !== undefined && !found.has(path)) found.set(path, textOf(label) ?? '');
  });
  return found;
}

function propertyOf(object: Node, name: string): Node | undefined {
  const property = list(object, 'properties').find((one) => nameOf(child(one, 'key')) === name);
  return property && child(property, 'value');
}

/** `paths.wallet` under a name. */
function pathIn(object: Node, name: string): string | undefined {
  const value = propertyOf(object, name);
  return value?.type === 'MemberExpression'
    ? pathByName.get(nameOf(child(value, 'property')) ?? '')
    : undefined;
}

function entryOf(route: Node): ScreenAccess {
  let access: string | undefined;
  walk(route, (node) => {
    if (node.type !== 'CallExpression' || nameOf(child(node, 'callee')) !== 'requireAccess') return;
    const [given] = list(node, 'arguments');
    access = given && textOf(given);
  });
  if (access === 'guest') return 'public';
  const ability = abilities.find((one) => one === access);
  if (ability !== undefined)
    return roles.every((role) => can(role, ability) === (role === 'ADMIN')) ? 'ADMIN' : 'login';
  return some(route, (node) => node.type === 'Identifier' && nameOf(node) === 'panel') ? 'login' : 'any';
}
