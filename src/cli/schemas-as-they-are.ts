import type { Word } from './words.ts'

declare global {
  /** What zod looks at when it makes a schema. The build gives the tool's own copy of zod this name for it. */
  var __vatom_zod_config: { readonly jitless?: boolean } | undefined
}

/**
 * Has zod check by schemas as they are. It would compile each when it is first used, which takes longer than a command checks by
 * it; only a service runs long enough. To be called before zod is loaded.
 */
export function useSchemasAsTheyAre(word: Word | undefined): void {
  if (word !== 'serve') globalThis.__vatom_zod_config = { jitless: true }
}
