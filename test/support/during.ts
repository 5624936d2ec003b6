/** What a question answers over and over until work has ended; the loop is free between two answers. */
export async function during<T>(work: Promise<unknown>, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    answers.push(await ask())
    await new Promise((resolve) => setImmediate(resolve))
  }
  return answers
}
