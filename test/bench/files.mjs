import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { loadSource } from './load-source.mjs'
import { alternate, timeProcess } from './measure.mjs'
import { npmPeers } from './peers.mjs'
import { row } from './results.mjs'
import { machine, root } from './vatom.mjs'

const count = 1000
const size = 2048
const example = readFileSync(path.join(root, 'templates-examples/coffee-coupon.yaml'), 'utf8')

/** A template of the wanted size whose text no earlier one had; ajv-cli's YAML takes an unquoted day for a time. */
function document(number, round) {
  const text = example
    .replaceAll('$publisher', 'local.vatom')
    .replaceAll('CoffeeCoupon', `Coupon${number}`)
    .replace(/\d{4}-\d\d-\d\d/g, '"$&"')
  return `${text}# ${round} ${'.'.repeat(Math.max(0, size - text.length))}\n`
}

function writeDocuments(folder, round) {
  for (let number = 0; number < count; number++)
    writeFileSync(path.join(folder, `t${number}.yaml`), document(number, round))
}

async function writeSchema(file) {
  const { jsonSchemaFor } = await loadSource('src/contract/derived/json-schema.ts')
  writeFileSync(file, JSON.stringify(jsonSchemaFor('template')))
}

/** Bar 4: many files against ajv-cli, which reads the same YAML and the JSON Schema of the same document. */
export async function measure() {
  const { time, home } = machine()
  const folder = path.join(home, 'files')
  const schema = path.join(home, 'schema.json')
  mkdirSync(folder)
  await writeSchema(schema)
  const command = path.join(npmPeers('ajv-cli', ['ajv-cli@5', 'ajv-formats@2']), 'ajv')
  const args = [
    'validate',
    '--spec=draft2020',
    '--strict=false',
    '-c',
    'ajv-formats',
    '-s',
    schema,
    '-d',
    `${folder}/*.yaml`,
  ]
  const vatom = () => time(['template', 'validate', folder])
  const sides = {
    fresh: (round) => {
      writeDocuments(folder, round)
      return vatom()
    },
    unchanged: vatom,
    ajv: () => timeProcess({ command, args }),
  }
  const medians = await alternate(sides, { rounds: 7, warmup: 1 })
  const what = `\`template validate\`, ${count} files of 2 KB`
  return [
    row({ bar: 4, what: `${what}, unchanged`, ours: medians.unchanged, reference: medians.ajv, limit: 0.5, digits: 0 }),
    row({ bar: 4, what: `${what}, all new`, ours: medians.fresh, reference: medians.ajv, limit: 3.2, digits: 0 }),
  ]
}
