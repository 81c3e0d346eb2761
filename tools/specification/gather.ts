import { sources } from '../sources.ts';
import { calls } from './calls.ts';
import { type Constant, constants } from './constants.ts';
import { failures, refusals, statusOf } from './errors.ts';
import { entities } from './fields.ts';
import { nearestTitle, testsCalled, testsLookingFor } from './find-proof.ts';
import * as further from './further-screens.ts';
import type { Items } from './item.ts';
import { endpointOf, hasField, takesField } from './read-contract.ts';
import { menuLabels, routerEntries } from './read-router.ts';
import { filesThatSay, numberNamed, placesOf } from './read-sources.ts';
import type { FoundTest } from './read-tests.ts';
import { routes } from './routes.ts';
import type { Chapter, SpecificationRow } from './rows.ts';
import { access, behaviour, validation } from './rules.ts';
import * as screens from './screens.ts';
import { lists, states } from './states.ts';
import { texts } from './texts.ts';

/** All that the specification promises, chapter by chapter. */
export function specification(): Chapter[] {
  return [
    { title: 'Routes', rows: routes.map(routeRow) },
    { title: 'Screens: the frame', rows: itemRows(screens.layout) },
    { title: 'Screens: sign-in and registration', rows: itemRows(screens.entrances) },
    { title: 'Screens: overview', rows: itemRows(screens.overview) },
    { title: 'Screens: API key', rows: itemRows(screens.apiKeys) },
    { title: 'Screens: transactions and PIX', rows: itemRows(screens.transactions) },
    { title: 'Screens: documentation', rows: itemRows(screens.documentation) },
    { title: 'Screens: profile', rows: itemRows(screens.profile) },
    { title: 'Screens: wallet', rows: itemRows(screens.wallet) },
    { title: 'Screens: withdrawal request', rows: itemRows(further.withdrawals) },
    { title: 'Screens: withdrawal history', rows: itemRows(further.history) },
    { title: 'Screens: identity verification', rows: itemRows(further.identity) },
    { title: 'Screens: administration', rows: itemRows(further.administration) },
    {
      title: 'Texts',
      rows: Object.entries(texts).flatMap(([where, said]) => said.map((text) => textRow(where, text))),
    },
    { title: 'Roles and permissions', rows: itemRows(access) },
    { title: 'Rules of validation', rows: itemRows(validation) },
    { title: 'Behaviour', rows: itemRows(behaviour) },
    { title: 'States', rows: [...Object.entries(lists).map(listRow), ...itemRows(states)] },
    { title: 'Calls', rows: calls.map(callRow) },
    { title: 'Fields', rows: Object.entries(entities).flatMap(entityRows) },
    { title: 'Errors', rows: [...itemRows(failures), ...Object.entries(refusals).map(refusalRow)] },
    { title: 'Constants', rows: Object.entries(constants).map(constantRow) },
  ];
}

const departures = sources('docs', 'departures-from-the-specification.md')[0]?.text ?? '';

type Raw = {
  id: string;
  says: string;
  at: readonly string[];
  by: readonly string[];
  departs?: string | undefined;
  problems?: readonly string[];
};

/** Finds what an item names, and says what it does not find. */
function row({ id, says, at, by, departs, problems = [] }: Raw): SpecificationRow {
  const found = [...problems];
  const places = at.map((name) => placeOf(name, found));
  const proofs = by.flatMap((title) => proofOf(title, found));
  if (by.length === 0) found.push('no test proves it: name one, or write it');
  if (departs !== undefined && !departures.includes(`\n| ${departs} |`))
    found.push(`no row of docs/departures-from-the-specification.md begins with “${departs}”`);
  return { id, says, places, proofs, departs, problems: found.map((problem) => `${id}: ${problem}`) };
}

function placeOf(name: string, problems: string[]): string {
  const [first, ...more] = placesOf(name);
  if (first === undefined)
    problems.push(`${name} is declared nowhere: name what took its place, here in tools/specification/`);
  if (name.includes('/') || first === undefined) return name;
  return `${more.length === 0 ? first : (first.split('/').slice(0, 2).join('/') ?? first)}#${name}`;
}

function proofOf(title: string, problems: string[]): readonly FoundTest[] {
  const found = testsCalled(title);
  if (found.length === 1) return found;
  problems.push(
    found.length === 0
      ? `no test is called “${title}”. The nearest is “${nearestTitle(title)}”`
      : `several tests are called “${title}”: say which, as “part of the path › title”, of ${found.map(({ path }) => path).join(', ')}`,
  );
  return found.slice(0, 1);
}

function itemRows(items: Items): SpecificationRow[] {
  return Object.entries(items).map(([id, item]) => row({ id, ...item }));
}

function routeRow({ path, entry, label, purpose, by }: (typeof routes)[number]): SpecificationRow {
  const problems: string[] = [];
  const known = routerEntries().get(path);
  if (known !== entry) problems.push(`the router opens it to ${known ?? 'nobody'}, not to ${entry}`);
  if (label !== undefined && menuLabels().get(path) !== label)
    problems.push(`the menu calls it ${menuLabels().get(path)}, not ${label}`);
  const name = label === undefined ? '' : `, “${label}”`;
  return row({
    id: path,
    says: `${purpose}${name}; opens to ${entry}`,
    at: path === '/docs' ? ['DOCS_PAGE'] : ['web/src/app/router.tsx'],
    by,
    problems,
  });
}

/** A text is proven by each test that looks for it; the first of them is shown. */
function textRow(where: string, text: string): SpecificationRow {
  const problems: string[] = [];
  const parts = text.split(/\{\w+\}/).filter((part) => part.trim().length > 0);
  const places = (parts[0] === undefined ? [] : filesThatSay(parts[0])).filter((path) =>
    parts.every((part) => filesThatSay(part).includes(path)),
  );
  if (places.length === 0) problems.push(`no screen and no answer says “${text}”`);
  const looking = testsLookingForParts(text, parts);
  if (looking.length === 0)
    problems.push(
      `no test looks for “${text}” on a drawn screen or in an answer: let one expect it, as it is written here`,
    );
  return {
    id: where,
    says: `“${text}”`,
    places: places
      .toSorted((a, b) => Number(a.startsWith('server')) - Number(b.startsWith('server')))
      .slice(0, 1),
    proofs: looking.slice(0, 1),
    departs: undefined,
    problems: problems.map((problem) => `${where}: ${problem}`),
  };
}

/** Of a text with places to fill, a test looks for one that is filled: what stands between comes in its order. */
function testsLookingForParts(text: string, parts: readonly string[]): readonly FoundTest[] {
  const [only, ...more] = parts;
  if (only === undefined) return [];
  if (more.length === 0 && only === text) return testsLookingFor(text);
  const filled = new RegExp(
    text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('.+'),
  );
  return testsLookingFor(filled);
}

function listRow([id, { says, values, of, at, by }]: [string, (typeof lists)[string]]): SpecificationRow {
  const missing = values.filter((value) => !of.includes(value));
  const problems = missing.map((value) => `${at} does not have ${value}`);
  return row({ id, says: `${says}: ${values.join(', ')}`, at: [at], by: [by], problems });
}

function callRow({
  call,
  does,
  sends = [],
  asks = [],
  uploads = [],
  answers,
  by,
  departs,
}: (typeof calls)[number]): SpecificationRow {
  const endpoint = endpointOf(call);
  const problems =
    endpoint === undefined
      ? ['no endpoint of the contract has this method and path']
      : [
          ...sends.filter((name) => !takesField(endpoint, name)).map((name) => `its body takes no ${name}`),
          ...asks
            .filter((name) => !hasField(endpoint.query, name))
            .map((name) => `its query takes no ${name}`),
          ...uploads
            .filter((name) => endpoint.upload?.fields.includes(name) !== true)
            .map((name) => `its form takes no ${name}`),
          ...answers
            .filter((name) => !hasField(endpoint.response, name))
            .map((name) => `its answer has no ${name}`),
        ];
  const takes = [...sends, ...asks, ...uploads];
  const says = `${does}${takes.length === 0 ? '' : `; takes ${takes.join(', ')}`}${answers.length === 0 ? '' : `; answers ${answers.join(', ')}`}`;
  return row({ id: call, says, at: endpoint === undefined ? [] : [endpoint.name], by, departs, problems });
}

function entityRows([entity, { schema, fields, alsoRead, by, departs }]: [
  string,
  (typeof entities)[string],
]): SpecificationRow[] {
  const reader =
    alsoRead === undefined
      ? ''
      : (sources('contract/src', '.ts').find(({ path }) => path === alsoRead.reader)?.text ?? '');
  const unread = (alsoRead?.names ?? [])
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(reader))
    .map((name) => `${alsoRead?.reader} reads no ${name}`);
  const at = alsoRead === undefined ? ['contract/src/index.ts'] : ['contract/src/index.ts', alsoRead.reader];
  return fields.map((field, index) =>
    row({
      id: `${entity}: ${field}`,
      says: index === 0 && alsoRead !== undefined ? `also read as ${alsoRead.names.join(', ')}` : '',
      at,
      by,
      departs,
      problems: [
        ...(hasField(schema, field) ? [] : [`our schema has no ${field}`]),
        ...(index === 0 ? unread : []),
      ],
    }),
  );
}

function refusalRow([id, { says, status, code, by, departs }]: [
  string,
  (typeof refusals)[string],
]): SpecificationRow {
  const ours = statusOf(code);
  const problems = ours === status ? [] : [`${code} is answered with ${ours}, not ${status}`];
  return row({
    id,
    says: `${status} ${says}: \`${code}\``,
    at: ['contract/src/errors.ts'],
    by: [by],
    departs,
    problems,
  });
}

function constantRow([id, { says, is, ours, at, by }]: [string, Constant]): SpecificationRow {
  const problem = constantProblem(is, ours);
  const value = typeof is === 'object' ? is.join(', ') : String(is);
  return row({
    id,
    says: `${says}: ${value}`,
    at: at.split(', '),
    by,
    problems: problem === undefined ? [] : [problem],
  });
}

function constantProblem(is: Constant['is'], ours: Constant['ours']): string | undefined {
  if (typeof ours === 'object' && 'stands' in ours) {
    const file = sources(ours.in.split('/').slice(0, 2).join('/'), '.ts', '.tsx', '.css').find(
      ({ path }) => path === ours.in,
    );
    const stands = file?.text.replace(/\s+/g, ' ').includes(ours.stands) === true;
    return stands ? undefined : `“${ours.stands}” does not stand in ${ours.in}`;
  }
  const value = typeof ours === 'object' && 'named' in ours ? numberNamed(ours.named) : ours;
  return JSON.stringify(value) === JSON.stringify(is) ? undefined : `ours is ${JSON.stringify(value)}`;
}
