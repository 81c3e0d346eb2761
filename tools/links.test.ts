import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from './sources.ts';

const codeBlocks = /^```.*?^```/gms;
const documents = readSources('', '.md').map(({ path, text }) => ({
  path,
  text: text.replaceAll(codeBlocks, ''),
}));
const anchors = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]));

test('every link of a document leads to a file of the repository, and to a heading in that file', () => {
  const links = documents.flatMap(({ path, text }) => linksOf(text).map((link) => ({ path, link })));
  const broken = links.filter(({ path, link }) => !hasTarget(path, link));
  expect(links.length).toBeGreaterThan(0);
  expect(broken.map(({ path, link }) => `${path}: ${link}`)).toEqual([]);
});

test('every row of the specification links to a test', () => {
  const page = documents.find(({ path }) => path === 'docs/specification.md');
  const rows = page?.text.match(/^\|(?!---| the specification \|).*$/gm);
  expect(rows?.length).toBeGreaterThan(0);
  expect(rows?.filter((row) => !linksOf(row).some((link) => /\.(test|e2e)\.tsx?$/.test(link)))).toEqual([]);
});

/** Returns the links and pictures of a document that lead to files of the repository. */
function linksOf(text: string): string[] {
  const targets = text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g);
  return [...targets]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
}

function hasTarget(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const to = file === '' ? from : join(dirname(from), file);
  if (!existsSync(new URL(`../${to}`, import.meta.url))) return false;
  return anchor === undefined || anchors.get(to)?.includes(anchor) === true;
}

/** Returns the anchors that GitHub gives to the headings of a document in which no two headings are alike. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
