/** Maps the address of a resource to one that this page can load, such as that of a local file; undefined: unchanged. */
export type ResolveResource = (url: string) => string | undefined

/**
 * The address to load a resource from; undefined for one that is not loaded: besides what the page itself resolves, only
 * HTTP, blobs and images in data URLs are, so that no address of a vAtom runs as a script.
 */
export function loadableUrl(url: string, resolve: ResolveResource | undefined): string | undefined {
  const resolved = resolve?.(url)
  if (resolved !== undefined) return resolved
  return /^(https?:\/\/|blob:|data:image\/)/i.test(url.trim()) ? url.trim() : undefined
}
