import type { KycSide } from '@jangada/contract';

/** Draws pictures like those that people send to prove their identity, but of no real person. */
export async function drawDocuments(name: string): Promise<Readonly<Record<KycSide, Buffer>>> {
  // Imported here and not at the top, because only the first start of a sandbox draws pictures.
  const { default: sharp } = await import('sharp');
  const draw = (svg: string) => sharp(Buffer.from(svg)).png({ compressionLevel: 6 }).toBuffer();
  const [document_front, document_back, selfie] = await Promise.all([
    draw(sheet('#dbe9e4', front(name))),
    draw(sheet('#e4e3f1', back)),
    draw(sheet('#f3ead9', selfieWith(name))),
  ]);
  return { document_front, document_back, selfie };
}

function sheet(colour: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600" font-family="sans-serif" fill="#1f2a37">
    <rect width="900" height="600" fill="#9aa5ab"/><rect x="40" y="40" width="820" height="520" rx="28" fill="${colour}"/>
    ${content}</svg>`;
}

const person = `<g fill="#7d8b92"><circle cx="0" cy="-40" r="52"/><path d="M-95 110a95 95 0 0 1 190 0z"/></g>`;
const exampleLabel = `<text x="80" y="520" font-size="40" font-weight="700" fill="#b4232a">DOCUMENTO DE EXEMPLO</text>`;

const front = (
  name: string,
) => `<text x="80" y="110" font-size="34" font-weight="700">Carteira de identidade</text>
  <rect x="80" y="150" width="220" height="280" fill="#ffffff"/><g transform="translate(190 320)">${person}</g>
  <text x="340" y="190" font-size="22">Nome</text><text x="340" y="230" font-size="32">${name}</text>
  <text x="340" y="290" font-size="22">Número</text><text x="340" y="330" font-size="32">00.000.000-0</text>
  <text x="340" y="390" font-size="22">Nascimento</text><text x="340" y="430" font-size="32">00/00/0000</text>${exampleLabel}`;

const back = `<text x="80" y="110" font-size="34" font-weight="700">Verso</text>
  ${[160, 210, 260, 310].map((y) => `<rect x="80" y="${y}" width="${740 - y}" height="22" rx="11" fill="#b9b7d6"/>`).join('')}
  <rect x="660" y="150" width="160" height="200" rx="80" fill="none" stroke="#b9b7d6" stroke-width="14"/>${exampleLabel}`;

const selfieWith = (name: string) => `<g transform="translate(450 290) scale(1.7)">${person}</g>
  <text x="450" y="110" text-anchor="middle" font-size="30">${name}</text>${exampleLabel}`;
