/** The code of an error by which a file of the package is gone, as bin/launch.js has it, too. */
export const replacedCode = 'VATOM_REPLACED'

/** What a process fails with that needs a file of the package which an update has removed; `cause` names the file. */
export const replaced = (cause: unknown): Error =>
  Object.assign(new Error('vatom was replaced by another version while it runs: start it again', { cause }), {
    code: replacedCode,
  })
