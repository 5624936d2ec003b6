/** The version that ends a template's name: `v2`. Of a name without one, its last part. */
export const versionOf = (name: string): string => name.slice(name.lastIndexOf('::') + '::'.length)

/** The name of a template's next version; undefined for a name without a version. */
export function nextVersion(name: string): string | undefined {
  const [, stem, version = ''] = /^(.+::v)(\d+)$/s.exec(name) ?? []
  return stem === undefined || version.length > 15 ? undefined : `${stem}${Number(version) + 1}`
}

/** Later versions that are looked for at most. */
const mostTried = 100

/** The name of the first later version that does not exist; undefined for a name without a version, and where too many exist. */
export async function firstFreeVersion(
  name: string,
  exists: (name: string) => Promise<boolean>,
): Promise<string | undefined> {
  let next = nextVersion(name)
  for (let tried = 0; next !== undefined && tried < mostTried; tried++) {
    if (!(await exists(next))) return next
    next = nextVersion(next)
  }
  return undefined
}

/** The name of a template with another version; undefined for a name without a version. */
export const withVersion = (name: string, version: string): string | undefined =>
  nextVersion(name) && name.slice(0, -versionOf(name).length) + version

/** Whether a name is that of an earlier version than another of the same template. */
export const isEarlier = (name: string, other: string): boolean =>
  Number(versionOf(name).slice(1)) < Number(versionOf(other).slice(1))
