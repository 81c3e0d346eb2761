// The fictional shop in Recife whose sales fill the demo: its products and customers.

import { isCnpj, isCpf } from '@jangada/pix';
import type { Chance } from './chance.ts';

type Product = { readonly name: string; readonly cents: number };

const products: readonly Product[] = [
  { name: 'Bolo de rolo 700 g', cents: 4890 },
  { name: 'Café do agreste 250 g', cents: 3290 },
  { name: 'Caneca Capibaribe', cents: 4600 },
  { name: 'Camiseta Frevo', cents: 8990 },
  { name: 'Sombrinha de frevo', cents: 6490 },
  { name: 'Queijo manteiga 500 g', cents: 3840 },
  { name: 'Doce de caju', cents: 2250 },
  { name: 'Boneco de Olinda em miniatura', cents: 7490 },
  { name: 'Cerâmica de Tracunhaém', cents: 13_800 },
  { name: 'Xilogravura de cordel 30 × 42', cents: 12_000 },
  { name: 'Caminho de mesa em renda renascença', cents: 28_900 },
  { name: 'Cesta de café da manhã', cents: 15_990 },
  { name: 'Kit presente Recife', cents: 21_990 },
  { name: 'Rapadura artesanal', cents: 1250 },
];

/** The products that the shop sells through its payment links, one for each link. */
export const linkProducts: readonly [LinkProduct, LinkProduct, LinkProduct] = [
  {
    name: 'Camiseta Frevo',
    cents: 8990,
    description: 'Algodão, do P ao GG. Retire na loja em Boa Viagem ou receba em casa.',
  },
  {
    name: 'Cesta de café da manhã',
    cents: 15_990,
    description: 'Bolo de rolo, queijo manteiga, café do agreste e doce de caju. Entregamos até as 9h.',
    stock: 40,
  },
  {
    name: 'Oficina de xilogravura',
    cents: 12_000,
    description: 'Sábado, das 14h às 17h, com material incluído. São seis vagas.',
    stock: 6,
  },
];
type LinkProduct = Product & { readonly description: string; readonly stock?: number };

/** The names of the shop's counter codes, which say where each code is displayed. */
export const counterCodeNames = ['Balcão da loja', 'Barraca da feira de sábado'] as const;

/** Picks a purchase: one or more pieces of one product, or two different products. */
export function pickPurchase(chance: Chance): { readonly description: string; readonly cents: number } {
  const first = chance.pick(products);
  const count = chance.pick([1, 1, 1, 2, 2, 3]);
  const second = chance.pick(products);
  if (count > 1) return { description: `${count} × ${first.name}`, cents: count * first.cents };
  // A third of the purchases of one piece get a second product.
  const hasSecondProduct = second !== first && chance.integerBelow(3) === 0;
  if (!hasSecondProduct) return { description: first.name, cents: first.cents };
  return { description: `${first.name} e ${second.name}`, cents: first.cents + second.cents };
}

export type DemoPayer = { readonly name: string; readonly document: string };

const firstNames =
  'Aline Amaro Ângela Antônio Bárbara Benedita Caio Cecília Ciro Dalva Danilo Edite Elias Flora Gil Heitor Inês Ivo Jurema Lauro Lígia Mateus Nair Olavo Penha Raul Rute Sílvio Tainá Vera Wilma Zélia'.split(
    ' ',
  );
const lastNames =
  'Aguiar Barros Bezerra Brandão Cabral Cordeiro Dantas Falcão Feitosa Gouveia Guedes Lacerda Leitão Lins Macedo Maranhão Nóbrega Paes Pimentel Queiroz Rabelo Sá Tavares Uchôa Veloso Wanderley'.split(
    ' ',
  );
const companies = [
  'Pousada Maré Mansa Ltda',
  'Escola Pé de Moleque Ltda',
  'Buffet Sabor do Cais Ltda',
  'Livraria Ponte Nova Ltda',
];

/** Generates the shop's customers: people and some companies. */
export function generateCustomers(chance: Chance, count: number): DemoPayer[] {
  const persons = Array.from({ length: count }, () => ({
    name: `${chance.pick(firstNames)} ${chance.pick(lastNames)} ${chance.pick(lastNames)}`,
    document: generateCpf(chance),
  }));
  return [...persons, ...companies.map((name) => ({ name, document: generateCnpj(chance) }))];
}

/** Generates a CPF with valid check digits and, in ninth place, the digit of Pernambuco's region (4). */
export function generateCpf(chance: Chance): string {
  return withCheckDigits(`${100_000_00 + chance.integerBelow(899_999_99)}4`, isCpf);
}

export function generateCnpj(chance: Chance): string {
  return withCheckDigits(`${100_000_00 + chance.integerBelow(899_999_99)}0001`, isCnpj);
}

function withCheckDigits(base: string, isValid: (document: string) => boolean): string {
  for (let digits = 0; digits < 100; digits += 1) {
    const document = `${base}${String(digits).padStart(2, '0')}`;
    if (isValid(document)) return document;
  }
  throw new Error(`${base} has no check digits`);
}
