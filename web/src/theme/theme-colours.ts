/**
 * The colour of the browser's own controls around the page, as `<meta name="theme-color">` takes it: the colour
 * `base-100` of each theme.
 */
export const themeColours = { corporate: '#ffffff', dark: '#0d161c' } as const;
