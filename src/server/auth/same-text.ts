import { timingSafeEqual } from 'node:crypto'

/** Whether two texts are the same; takes as long for every other text of the same length. */
export const sameText = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
