/** Bytes of a file or of standard input. */
export const maxBytes = 2 * 1024 * 1024
/** Documents of one file. */
export const maxDocuments = 10_000
/** Values that aliases may stand for in one document. */
export const maxAliased = 10_000
/** Problems reported of one document. */
export const maxProblems = 200
/** Problems shown as text in one run. */
export const maxShown = 200
/** Annotations of one severity that GitHub shows of one step. */
export const maxAnnotations = 10
/** Characters of an annotation that GitHub shows. */
export const maxAnnotation = 4000
