/** The numbers of the chunks that the chunk of an entry point evaluates, now or later, itself included. */
export function reachableFrom(chunks, entryPoint) {
  const numbers = new Map(chunks.map(({ name }, number) => [name, number]))
  const reached = new Set([chunks.findIndex((chunk) => chunk.entryPoint === entryPoint)])
  // What is added to a set while it is iterated comes later.
  for (const number of reached)
    for (const { path } of chunks[number].imports) if (numbers.has(path)) reached.add(numbers.get(path))
  return reached
}
