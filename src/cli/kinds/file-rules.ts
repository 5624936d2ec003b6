import { catalogRules, relatedNotes } from '../../contract/rules/catalog-rules.ts'
import { rules } from '../../contract/rules/document-rules.ts'

const namesOf = (all: readonly { readonly name: string }[]): ReadonlySet<string> => new Set(all.map(({ name }) => name))

/** Codes of warnings that files show which have the document alone. */
export const ownRules = namesOf(rules)

/** Codes of warnings that files show which have the document's template, too. */
export const relatedRules = namesOf(relatedNotes)

/** Codes of warnings that files show which have the other document, too. */
export const mutualRules = namesOf(catalogRules)
