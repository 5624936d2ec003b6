/** Close codes of RFC 6455, by the reason. */
export const closeCodes = { closing: 1001, sessionEnded: 1008, misused: 1008, replaced: 1012, full: 1013 } as const
