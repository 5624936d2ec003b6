/**
 * An object with all that another one has, some of it replaced: nothing is copied, as of a store there is made one for each
 * request. A spread of it has only what is replaced.
 */
export function overlaid<T extends object>(base: T, replaced: Partial<T>): T {
  const made: T = Object.create(base)
  return Object.assign(made, replaced)
}
