/** Where a folder really is, if nobody but this user can have put anything there; else undefined. */
export function ownFolder(folder: string): string | undefined
/** The same, made with all missing folders above it. Throws as mkdir does. */
export function makeOwnFolder(folder: string): string | undefined
/** The content of a file in such a folder that only this user can have written; undefined if there is none. */
export function readOwn(file: string): Buffer | undefined
