import { sources } from '../sources.ts';
import { type FoundTest, readTests } from './read-tests.ts';
import { plain } from './syntax.ts';

const files = ['pix', 'contract', 'server', 'sandbox', 'sdk', 'bench', 'web/src', 'web/build', 'e2e'].flatMap(
  (folder) => sources(folder, '.test.ts', '.test.tsx', '.e2e.ts'),
);
const all: readonly FoundTest[] = files.flatMap(readTests);

/** The tests that a title names, `part of the path › title` or the title alone; none, or several, are a mistake. */
export function testsCalled(name: string): readonly FoundTest[] {
  const [part, ...rest] = name.split(' › ');
  const narrowed = all.filter(
    ({ path, title }) => title === plain(rest.join(' › ')) && path.includes(part ?? ''),
  );
  return narrowed.length > 0 ? narrowed : all.filter(({ title }) => title === plain(name));
}

/** The title that is most like one that is not there, for whoever has to mend it. */
export function nearestTitle(name: string): string {
  const words = new Set(name.split(/\W+/));
  const shared = ({ title }: FoundTest) =>
    title.split(/\W+/).filter((word) => words.has(word)).length / (title.length + 40);
  return all.toSorted((a, b) => shared(b) - shared(a))[0]?.title ?? '';
}

/** A screen is drawn in a browser; an answer comes from the gateway, over HTTP. */
const isSeen = ({ path }: FoundTest) => /\.browser\.test\.tsx?$|^e2e\/|^server\/.*\.test\.ts$/.test(path);

/** The tests that look for a text on a screen or in an answer, those of the screens first. */
export function testsLookingFor(text: string | RegExp): readonly FoundTest[] {
  // A short word is part of many: it has to be looked for by itself.
  const found = (looked: string) =>
    typeof text === 'string'
      ? looked === text || (text.length > 8 && looked.includes(text))
      : text.test(looked);
  const weight = ({ path }: FoundTest) => (path.startsWith('web/') ? 0 : path.startsWith('e2e/') ? 1 : 2);
  return all
    .filter((test) => isSeen(test) && test.looksFor.some(found))
    .toSorted((a, b) => weight(a) - weight(b) || a.path.localeCompare(b.path));
}
