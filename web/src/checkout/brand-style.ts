/**
 * The styles that show the main button and the tile of initials of a payer's page in the merchant's colour. The text on
 * that colour is white or black, whichever has the better contrast: one of the two always has a contrast of at least
 * 4.5.
 */
export function brandStyle(colour: string): string {
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new RangeError(`Not a colour: ${colour}`);
  return `:root{--brand:${colour};--brand-content:${textColourOn(colour)}}`;
}

/** The colour of a text on this background. */
export function textColourOn(colour: string): '#ffffff' | '#000000' {
  const background = luminance(colour);
  const contrastOfWhite = 1.05 / (background + 0.05);
  const contrastOfBlack = (background + 0.05) / 0.05;
  return contrastOfWhite >= contrastOfBlack ? '#ffffff' : '#000000';
}

/** The relative luminance of a colour as WCAG 2.2 defines it, from 0 for black to 1 for white. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
