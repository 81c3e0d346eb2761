import { expect, test } from 'vitest';
import { chargeStatuses } from '../charge.ts';
import { eventBody } from '../event.ts';
import { publicWithdrawalStatuses } from '../withdrawal.ts';
import {
  type Block,
  buildDocs,
  documentedEndpoints,
  documentedErrors,
  errorTexts,
  exampleAnswers,
  exampleCall,
  placeholderValues,
  printLlms,
  printMarkdown,
  type Section,
  webhooksGuide,
} from './index.ts';

const docs = buildDocs(placeholderValues);
const withSubsections = (sections: readonly Section[]): Section[] =>
  sections.flatMap((section) => [section, ...withSubsections(section.sections ?? [])]);
const allSections = withSubsections(docs);
const blocksOf = ({ blocks, samples = [] }: Section): Block[] => [...blocks, ...samples];

test('every call that a key may make is documented, with its samples in four languages', () => {
  expect(documentedEndpoints.length).toBeGreaterThan(20);
  for (const { name, method, path } of documentedEndpoints) {
    const section = allSections.find(({ id }) => id === name);
    const blocks = section === undefined ? [] : blocksOf(section);
    expect(blocks).toContainEqual(expect.objectContaining({ kind: 'call', method, path: `/api${path}` }));
    const samples = blocks.find(({ kind }) => kind === 'samples');
    expect(Object.keys(samples?.kind === 'samples' ? samples.samples : {})).toEqual([
      'curl',
      'javascript',
      'python',
      'php',
    ]);
  }
});

test.each(documentedEndpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
  'the example call and response of %s match its schemas',
  (name, endpoint) => {
    const { body, query, response } = endpoint;
    const call = exampleCall(endpoint);
    expect(call.path).not.toContain('{');
    expect(response.safeParse(exampleAnswers[name])).toMatchObject({ success: true });
    if (body !== undefined) expect(body.safeParse(call.body)).toMatchObject({ success: true });
    if (query === undefined) return;
    const parameters = Object.fromEntries(new URL(call.path, 'http://here.invalid').searchParams);
    expect(query.safeParse(parameters)).toMatchObject({ success: true });
  },
);

test('every call with a body, query or id documents their fields', () => {
  for (const { name, body, query, params } of documentedEndpoints) {
    const section = allSections.find(({ id }) => id === name);
    const labels = (section?.blocks ?? []).flatMap((block) => (block.kind === 'fields' ? [block.label] : []));
    if (body !== undefined) expect(labels, name).toContain('Corpo');
    if (query !== undefined) expect(labels, name).toContain('Parâmetros da consulta');
    if (params !== undefined) expect(labels, name).toContain('Parâmetros do caminho');
  }
});

test('fields of the same name are documented by their place', () => {
  const refund = allSections.find(({ id }) => id === 'refundPayment')?.blocks ?? [];
  const ids = refund.flatMap((block) =>
    block.kind === 'fields' ? block.fields.filter(({ name }) => name === 'id').map(({ text }) => text) : [],
  );
  expect(ids).toEqual([
    'O id da cobrança a devolver.',
    expect.stringContaining('O nome que você dá a este estorno.'),
    'O id na Jangada.',
  ]);
});

test('every webhook body in the guide has the format of the bodies that are sent', () => {
  const bodies = withSubsections(webhooksGuide)
    .flatMap(blocksOf)
    .flatMap((block) => (block.kind === 'code' && block.language === 'json' ? [JSON.parse(block.code)] : []));
  expect(bodies.length).toBeGreaterThanOrEqual(4);
  for (const body of bodies) expect(eventBody.safeParse(body)).toMatchObject({ success: true });
});

test('every refusal that an integrator can receive has advice on what to do, and no other refusal has', () => {
  expect(Object.keys(errorTexts).toSorted()).toEqual(documentedErrors().toSorted());
});

test('every link has its anchor on the page, and every anchor is unique', () => {
  const tables = allSections
    .flatMap(blocksOf)
    .flatMap((block) => (block.kind === 'table' ? (block.rowIds ?? []) : []));
  const anchors = [...allSections.map(({ id }) => id), ...tables];
  expect(new Set(anchors).size).toBe(anchors.length);
  const links = [...JSON.stringify(docs).matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((anchor) => anchor === undefined || !anchors.includes(anchor))).toEqual([]);
});

test('llms.txt has every section of the page, with the addresses of the gateway and of its bank filled in', () => {
  const text = printLlms('https://pix.example.com', 'http://localhost:4711');
  for (const { title } of allSections) expect(text).toContain(`# ${title}`);
  expect(text).toContain("curl -X POST 'https://pix.example.com/api/pix/new'");
  expect(text).toContain("curl -X POST 'http://localhost:4711/sandbox/payments'");
  expect(text).not.toContain(placeholderValues.address);
  expect(text).not.toContain(placeholderValues.bankAddress);
  expect(text).not.toMatch(/\]\((#|\/)/);
});

test('docs/webhooks.md is the chapter on webhooks of the documentation page', async () => {
  const printed = `# Webhooks

Para quem integra um sistema à Jangada. Este texto é o capítulo *Webhooks* de \`/docs\`, impresso de
\`contract/src/docs/webhooks-guide.ts\`: mude-o lá, e imprima com \`npm test -- contract/src/docs -u\`.

${printMarkdown(webhooksGuide)}
`;
  await expect(printed).toMatchFileSnapshot('../../../docs/webhooks.md');
});

test('the documentation has every part: how to authenticate, calls, samples, webhooks, HTTP codes, statuses, practices, notes', () => {
  const sectionText = (id: string) =>
    JSON.stringify(allSections.find((section) => section.id === id) ?? null);
  expect(sectionText('autenticacao')).toContain('`X-API-Key`');
  expect(sectionText('autenticacao')).toContain('na seção *Chaves API* do painel');
  for (const call of ['createPayment', 'getPaymentStatus', 'apiWithdraw'])
    expect(sectionText(call)).toContain('samples');
  for (const title of ['Autenticação', 'Webhooks', 'Erros', 'Boas práticas', 'Observações'])
    expect(allSections.map((section) => section.title)).toContain(title);
  const everything = JSON.stringify(docs);
  for (const code of ['200', '400', '401', '404', '409', '500']) expect(everything).toContain(code);
  for (const status of [...chargeStatuses, ...publicWithdrawalStatuses])
    expect(everything).toContain(`\`${status}\``);
});
