import { version as packageVersion } from '../../package.json'

/** The tool's version. */
export const version: string = packageVersion
