/** The methods that requests have. */
export const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** The method of a word in whatever case; undefined if it is none. */
export const methodOf = (word: string): Method | undefined => methods.find((one) => one === word.toUpperCase())
