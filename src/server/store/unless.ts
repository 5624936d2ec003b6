/** For what rejects: carries out other work if it is for one reason. */
export const unless =
  <T>(expected: Error, other: () => Promise<T>) =>
  (reason: unknown): Promise<T> => {
    if (reason !== expected) throw reason
    return other()
  }
