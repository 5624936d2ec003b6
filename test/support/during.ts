import { setImmediate as nextTurn } from 'node:timers/promises'

/** What a question answers over and over until work has ended; the loop is free between two answers. */
export async function during<T>(work: Promise<unknown>, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    answers.push(await ask())
    await nextTurn()
  }
  return answers
}

/** By how many a list grows in one turn of the event loop at most while work goes on. */
export async function mostInATurn(work: Promise<unknown>, list: () => readonly unknown[]): Promise<number> {
  const lengths = await during(work, async () => list().length)
  return Math.max(...lengths.map((length, index) => length - (lengths[index - 1] ?? 0)))
}
