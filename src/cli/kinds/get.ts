import { Option } from 'commander'
import { usage } from '../failure/failure.ts'
import type { Output } from '../io/output.ts'

/** How `get` prints what it shows. */
export interface GetOptions {
  readonly yaml?: boolean
}

export const yamlOption = (): Option =>
  new Option('--yaml', 'print the document as YAML, as update takes it; this is how it is without --json')

/** Fails where both ways to print are asked for, before the service is. */
export function checkOutput({ yaml }: GetOptions, { json }: Pick<Output, 'json'>): void {
  if (yaml && json) throw usage('--yaml and --json exclude each other')
}

/** Prints a record as the document a publisher would write; under --json as the service answers it. */
export async function printDocument(record: unknown, document: object, output: Output): Promise<void> {
  const { yamlLines } = await import('../io/yaml.ts')
  output.result(record, () => yamlLines(document))
}
