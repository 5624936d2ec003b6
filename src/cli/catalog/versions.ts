/** A template's name without its version, and the version; 1 for a name without one. Spec 9. */
export function versionOf(template: string): { readonly stem: string; readonly version: number } {
  const [, stem = template, version = '1'] = /^(.*?)(?:::v(\d{1,9}))?$/s.exec(template) ?? []
  return { stem, version: Number(version) }
}

/** Tells whether a template is an earlier version of one of these. */
export function earlierThan(templates: Iterable<string>): (template: string) => boolean {
  const latest = new Map<string, number>()
  for (const template of templates) {
    const { stem, version } = versionOf(template)
    latest.set(stem, Math.max(version, latest.get(stem) ?? 0))
  }
  return (template) => {
    const { stem, version } = versionOf(template)
    return version < (latest.get(stem) ?? 0)
  }
}
