/** Ways to show problems; apart from render.ts, so that help and options load no report. */
export const formats = ['text', 'json', 'github', 'sarif'] as const
export type Format = (typeof formats)[number]
