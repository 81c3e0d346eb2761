/** How often each property is tried; a long run multiplies it through the environment. */
export const PROPERTY_RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);
