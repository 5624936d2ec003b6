import { escaped } from '../../contract/printable.ts'

/**
 * Where a text in a log becomes a command, by the variable of the pipeline that reads it so: of GitHub at the start of a
 * line, and after its older sign, as of the others, anywhere in it.
 */
const commands = {
  GITHUB_ACTIONS: /:(?=:)(?<=^[^\S\n]*:)|#(?=#\[)/gm,
  TF_BUILD: /#(?=#vso\[)/g,
  TEAMCITY_VERSION: /#(?=#teamcity\[)/g,
}

const readers = Object.entries(commands)

/** Whether a pipeline takes any of a text for a command. */
export const holdsCommand = (text: string): boolean => readers.some(([, start]) => text.search(start) >= 0)

/** Returns what makes a text harmless in the log of this environment: JSON and quoted YAML keep their meaning. */
export function withoutCommands(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const starts = readers.flatMap(([name, start]) => (env[name] ? [start] : []))
  return (text) => without(starts, text)
}

/** A text made harmless in the log of every pipeline. */
export const withoutAnyCommand = (text: string): string => without(Object.values(commands), text)

const without = (starts: readonly RegExp[], text: string) =>
  starts.reduce((rest, start) => rest.replace(start, escapedEnd), text)
const escapedEnd = (found: string) => found.slice(0, -1) + escaped(found.slice(-1))
