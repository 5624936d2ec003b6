import { stringify } from 'yaml'

/** A document as lines of YAML. */
export const yamlLines = (document: unknown): string[] => stringify(document).trimEnd().split('\n')
