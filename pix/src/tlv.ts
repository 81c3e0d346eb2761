import { PixRefusal } from './pix-refusal.ts';

/** The fields of a BR Code or of a template in it: values by two-digit id, in their order in the text. */
export type TlvFields = ReadonlyMap<string, string>;

/**
 * Parses a sequence of fields (TLV) as in EMV QRCPS-MPM. A field is a two-digit id, a two-digit length (01..99) and a
 * value. Lengths count Unicode characters. A repeated id is refused, because two readers could take different values
 * and so disagree on the payee.
 * @param template the id of the enclosing field, if the sequence is inside one
 */
export function readTlv(text: string, template?: string): TlvFields {
  const characters = Array.from(text);
  const fields = new Map<string, string>();
  let position = 0;
  while (position < characters.length) {
    const header = characters.slice(position, position + 4).join('');
    const length = Number(header.slice(2));
    const end = position + 4 + length;
    if (!/^\d{4}$/.test(header) || length === 0 || end > characters.length) {
      throw new PixRefusal(
        template === undefined ? 'TLV' : 'NESTED_TLV',
        `The chain of fields breaks at character ${position}`,
        template,
      );
    }
    const id = header.slice(0, 2);
    if (fields.has(id)) throw new PixRefusal('DUPLICATE_ID', `The field ${id} is repeated`, id);
    fields.set(id, characters.slice(position + 4, end).join(''));
    position = end;
  }
  return fields;
}

/** Encodes one field. The caller guarantees that the value has 1 to 99 ASCII characters. */
export function writeTlv(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value;
}
