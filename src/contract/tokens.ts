/** What messages show instead of a token. */
const hidden = '(it looks like a token, and is not shown)'

/** A JWT, encrypted or signed. It begins with a word, also behind `--` or `%20`: from each `eyJ` of a long word the search would take minutes. */
const jwt = /(?<=(?:^|[^\w-]|%[\dA-Fa-f]{2})-{0,2})eyJ[\w-]+(?:(?:\.[\w-]*){4}|\.[\w-]+\.[\w-]*)/g
/** A word that is no part of a path, an address or the name of a record. */
const longWord = /(?<![\w+=.:/-])[\w+=-]{32,4096}(?![\w+=:/-]|\.\w)/g

/** Whether a text has a JWT in it: neither a name, nor an address, nor a folder has one. */
export const hasJwt = (text: string): boolean => text.search(jwt) >= 0

/** A text without the tokens in it, which somebody put where none belongs: messages stand in the logs of pipelines. */
export const withoutTokens = (text: string): string =>
  text.replace(jwt, hidden).replace(longWord, (word) => (isRandom(word) ? hidden : word))

/** Whether small letters, capitals and digits follow each other without order: in a hash and in CamelCase they do not. */
function isRandom(word: string): boolean {
  const runs = word.match(/[a-z]+|[A-Z]+|\d+/g) ?? []
  const hasAll = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(word))
  return hasAll && runs.length > word.length * 0.45
}

/** What to do where one was given as something else. */
export const tokenHint =
  'a token of a session belongs in the variable VATOM_REFRESH_TOKEN, or an access token in VATOM_ACCESS_TOKEN, and never in an argument'
