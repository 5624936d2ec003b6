import type { Problem } from './types.ts'

/** Compares problems by the order of their files, then by place. */
export function inputOrder(files: readonly string[]): (a: Problem, b: Problem) => number {
  const order = new Map(files.map((file, index) => [file, index]))
  return (a, b) =>
    (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0)
}
