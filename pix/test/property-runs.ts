/** How often each property is tried. A long run of the tests sets a higher number in the environment. */
export const PROPERTY_RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);
