/**
 * Stands in for parts of Refine that are never used here (CSV import, error stacks for its devtools): see
 * vite.config.ts.
 */
export default {};
export const parse = undefined;
export const unparse = undefined;
