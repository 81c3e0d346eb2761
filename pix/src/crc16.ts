const POLYNOMIAL = 0x1021;

/**
 * Computes CRC-16/CCITT-FALSE over the UTF-8 bytes of a text, as four upper-case hex digits. It is the check of a BR
 * Code: the value of field 63, computed over everything before that value, the literal `6304` included. `123456789`
 * gives `29B1`.
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = ((crc << 1) ^ (crc & 0x8000 ? POLYNOMIAL : 0)) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
