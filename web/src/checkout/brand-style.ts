/**
 * The CSS variables that give the merchant's colour to a payer's page: to its main button, and to the initials shown in
 * place of a logo. The text on that colour is white or black, whichever has the better contrast: one of the two always
 * has a contrast of at least 4.5.
 */
export function brandStyle(colour: string): string {
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new RangeError(`Not a colour: ${colour}`);
  return `:root{--brand:${colour};--brand-content:${textColourOn(colour)}}`;
}

/** The text colour with the better contrast on a background, which is given as `#rrggbb`. */
export function textColourOn(background: string): '#ffffff' | '#000000' {
  const backgroundLuminance = luminance(background);
  // The contrast of two colours as WCAG 2.2 defines it: (lighter + 0.05) / (darker + 0.05). White is 1 and black is 0.
  const contrastOfWhite = 1.05 / (backgroundLuminance + 0.05);
  const contrastOfBlack = (backgroundLuminance + 0.05) / 0.05;
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
