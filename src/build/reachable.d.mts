interface Chunk {
  readonly name: string
  /** The source of which it is the bundle, if it is one of an entry point. */
  readonly entryPoint?: string | undefined
  readonly imports: readonly { readonly path: string }[]
}
export function reachableFrom(chunks: readonly Chunk[], entryPoint: string): Set<number>
