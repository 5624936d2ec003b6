import type { Problem } from '../load/loaded.ts'

/** Problems with the errors before the warnings, each in the order they are in. */
export const worstFirst = (problems: readonly Problem[]): readonly Problem[] => [
  ...problems.filter(({ severity }) => severity === 'error'),
  ...problems.filter(({ severity }) => severity !== 'error'),
]
