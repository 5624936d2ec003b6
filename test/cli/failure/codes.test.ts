import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandFailures } from '../../../src/cli/failure/command-failures.ts'
import { serviceFailures } from '../../../src/contract/service-failures.ts'

const source = join(import.meta.dirname, '../../../src')
const lists = ['cli/failure/command-failures.ts', 'contract/service-failures.ts']

test('every code of a failure that is explained is the code of one', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !lists.includes(file),
  )
  const text = files.map((file) => readFileSync(join(source, file), 'utf8')).join('\n')
  const codes = [...Object.keys(commandFailures), ...Object.keys(serviceFailures)]
  expect(codes.filter((code) => !text.includes(`'${code}'`))).toEqual([])
})
