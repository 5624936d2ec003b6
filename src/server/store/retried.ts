/** Does work when it is first asked for, and gives its result to all who ask; after a failure, the next who asks has it done again. */
export function retried<T>(
  make: () => Promise<T>,
): (() => Promise<T>) & { readonly begun: () => Promise<T> | undefined } {
  let made: Promise<T> | undefined
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
  return Object.assign(get, { begun: () => made })
}
