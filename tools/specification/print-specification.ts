import type { FoundTest } from './read-tests.ts';
import type { Chapter, SpecificationRow } from './rows.ts';

const departures = 'departures-from-the-specification.md';

/** docs/specification.md: every promise, where it lives and what proves it. */
export function printSpecification(chapters: readonly Chapter[]): string {
  const count = chapters.reduce((sum, { rows }) => sum + rows.length, 0);
  return `# Conformance to the specification

Everything that the product's specification promises: ${count} items, each with where it lives and a test that proves it. Its literal
texts stand in quotes. *Departs* marks what we do otherwise, for a reason that the [departures](${departures}) give.

Printed from \`tools/specification/\`, which holds the items and finds their places and tests; \`npm run check\` fails when an item has no
test any more, when a text stands nowhere or is looked for by no test on a drawn screen or in an answer, and when this page is not what
would be printed. Print it anew with \`node tools/run.mjs node_modules/vitest/vitest.mjs run --project=unit tools/specification -u\`.

${chapters.map(({ title, rows }) => `- ${title}: ${rows.length}`).join('\n')}

${chapters.map(printChapter).join('\n\n')}
`;
}

function printChapter({ title, rows }: Chapter): string {
  return [
    `## ${title}`,
    '',
    '| item | what | lives in | proven by |',
    '|---|---|---|---|',
    ...rows.map(printRow),
  ].join('\n');
}

function printRow({ id, says, places, proofs, departs }: SpecificationRow): string {
  const what = departs === undefined ? says : `${says} *([departs](${departures}): ${departs})*`;
  return `| ${id} | ${what} | ${places.map(code).join('<br>')} | ${proofs.map(printProof).join('<br>')} |`;
}

function printProof({ path, fullTitle }: FoundTest): string {
  return `${code(path)} ${fullTitle.replaceAll('|', '\\|')}`;
}

const code = (text: string): string => `\`${text}\``;
