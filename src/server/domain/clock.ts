/** Where a service takes the time from. */
export type Clock = () => Date

/** An instant as every answer writes it: UTC, `…Z`, no fractions. */
export const timestamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

/** Whole seconds since 1970. */
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
