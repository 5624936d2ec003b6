/** Ways to show problems. */
export const formats = ['text', 'json', 'github', 'sarif'] as const
export type Format = (typeof formats)[number]
