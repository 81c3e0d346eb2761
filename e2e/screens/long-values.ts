import type { BrowserContext, Page } from 'playwright-core';

// Replaces the values on a screen with the longest that users may choose, to find layouts that they would break.

/** A word of 56 letters, as the worst case of names, references and file names. */
const WORD = `${'Pneumoultramicroscopicossilicovulcano'.padEnd(55, 'conio')}s`;
const EMAIL = 'maria.conceicao@emporio-do-capibaribe.example';
const samples = {
  word: WORD,
  email: EMAIL,
  key: '00020126-3b7d-4e61-9a0f-6d2c4b8e1f35.00020126',
  file: `${WORD}.comprovante-de-entrega.pdf`,
  url: `https://${'loja.'.repeat(6)}example/avisos/${WORD}`,
  text: `Encomenda de dezembro: redes de algodão, cestos de palha e uma ${WORD} de madeira`,
};
type Kind = keyof typeof samples;

/** Response fields with values that users choose, by kind of value. */
const kinds: Readonly<Record<string, Kind>> = {
  name: 'word',
  username: 'word',
  display_name: 'word',
  external_id: 'word',
  holder: 'word',
  label: 'word',
  email: 'email',
  pix_key: 'email',
  key: 'key',
  file: 'file',
  url: 'url',
  title: 'text',
  body: 'text',
  description: 'text',
  reason: 'text',
  defence: 'text',
  frozen_because: 'text',
  stopped_because: 'text',
};

/** Runs in the page: records the values that users choose from all responses that the page reads. */
function rememberValues(byField: Readonly<Record<string, Kind>>): void {
  const values = new Map<string, Kind>();
  Reflect.set(window, 'rememberedValues', values);
  const remember = (value: unknown, field = ''): void => {
    if (typeof value === 'string') {
      const kind = byField[field];
      if (kind !== undefined && value.length > 2) values.set(value, kind);
    } else if (Array.isArray(value)) for (const item of value) remember(item, field);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value))
        remember(item, key === 'name' && 'size' in value ? 'file' : key);
  };
  const { parse } = JSON;
  JSON.parse = (...args: Parameters<typeof parse>) => {
    const value: unknown = parse(...args);
    remember(value);
    return value;
  };
  const { json } = Response.prototype;
  Response.prototype.json = async function (this: Response) {
    const value: unknown = await json.call(this);
    remember(value);
    return value;
  };
}

/** Makes the pages of a context record the values of responses, so that `lengthen` finds them on the screen. */
export async function rememberResponses(context: BrowserContext): Promise<void> {
  await context.addInitScript(rememberValues, kinds);
}

/**
 * Replaces all names, addresses, texts and amounts on the screen with long values, wherever they came from.
 * Elements that the page renders again afterwards show their original values.
 */
export async function insertLongValues(page: Page): Promise<void> {
  await page.evaluate((longValues) => {
    const values = [
      ...((Reflect.get(window, 'rememberedValues') as Map<string, keyof typeof longValues>) ?? []),
    ];
    // Longer values come first, since a shorter value may be a part of a longer one.
    values.sort(([a], [b]) => b.length - a.length);
    const replacements = new Set(Object.values(longValues));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: element, nodeValue } = node;
      const text = nodeValue ?? '';
      if (element === null || text.trim() === '' || element.closest('script, style, svg, select, textarea'))
        continue;
      // The documentation's words are the product's own, even where a scope has the same name as a response value.
      if (element.closest('.group\\/docs') !== null) continue;
      // The balance in the top bar adapts its form to its length, which a separate test covers.
      if (element.closest('header')?.querySelector('[aria-label$="saldo"]')) continue;
      if ([...replacements].some((replacement) => text.includes(replacement))) continue;
      const match = values.find(([value]) => text.includes(value));
      // Texts that users choose are in <bdi>. Such a text without a word is a date or a document, which never gets
      // longer.
      const isUserText = element.closest('bdi') !== null && /\p{L}{3}/u.test(text);
      let next = text.replace(/R\$\s[\d.]+,\d\d/g, 'R$\u00a0999.999.999,99');
      if (match !== undefined) next = next.replace(match[0], longValues[match[1]]);
      else if (isUserText) next = longValues.text;
      if (next !== text) node.nodeValue = next;
    }
  }, samples);
}
