import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/server/store/database/open-database.ts'
import { migrations } from '../../../src/server/store/migrations.ts'
import { template } from '../../fixtures/yaml.ts'
import { newFolder } from '../../support/folders.ts'
import { publisher } from '../../support/vatom.ts'

const question = 'Delete all data of the local context: 1 template?'
const first = 'Save a snapshot of 1 template first?'
const name = 'before-reset-2026-03-01T12-00-00'

/** A desk whose data is in files, with a template. */
async function stocked() {
  const desk = await publisher({ service: { db: `${newFolder()}/local.db` } })
  desk.file('coupon.yaml', template())
  expect(await desk.vatom('template', 'create', 'coupon.yaml')).toMatchObject({ code: 0 })
  return desk
}

test('on a terminal reset saves a snapshot first if Enter is pressed, and says what is in it', async () => {
  const { run, vatom, json } = await stocked()
  const { code, err } = await run(['reset'], { tty: true, columns: 200, answers: { [first]: '', [question]: 'y' } })
  expect(code).toBe(0)
  expect(err).toContain(`Saved ${name}: 1 template. To get it back: vatom snapshot load ${name}\n`)
  expect(await json('template', 'list')).toEqual([])
  expect(await vatom('snapshot', 'load', name, '--yes')).toMatchObject({ code: 0 })
  expect(await json('template', 'list')).toHaveLength(1)
})

test('a service in memory that the context names is emptied, as the help says', async () => {
  const { vatom } = await publisher({ transport: 'network', service: { temporary: newFolder() } })
  expect((await vatom('reset', '--help')).out.replaceAll(/\s+/g, ' ')).toContain(
    'or of a temporary service that the environment or a context names, as vatom serve --memory',
  )
  const { code, out } = await vatom('reset', '--yes')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('all data of the temporary service ') })
})

test('a no to the question deletes nothing, with a snapshot or without', async () => {
  const { run, json } = await stocked()
  const { code } = await run(['reset'], { tty: true, answers: { [first]: '', [question]: 'n' } })
  expect(code).toBe(1)
  expect(await json('template', 'list')).toHaveLength(1)
  expect(await json('snapshot', 'list')).toHaveLength(1)
})

test('--snapshot saves a snapshot under its name, without a question for it', async () => {
  const { run, vatom, json } = await stocked()
  const asked = await run(['reset', '--snapshot', 'mine'], { tty: true, answers: { [question]: 'y' } })
  expect(asked).toMatchObject({ code: 0, err: expect.not.stringContaining(first) })
  expect(await json('snapshot', 'list')).toMatchObject([{ name: 'mine', templates: 1 }])
  expect(await vatom('snapshot', 'load', 'mine', '--yes')).toMatchObject({ code: 0 })
  expect(await vatom('reset', '--snapshot', 'mine', '--yes')).toMatchObject({ code: 1 })
  expect(await vatom('reset', '--snapshot', '../mine', '--yes')).toMatchObject({ code: 2 })
  expect(await json('template', 'list')).toHaveLength(1)
})

test('a dry run says what would be saved and deleted, and does neither', async () => {
  const { vatom, json } = await stocked()
  const { code, out, err } = await vatom('reset', '--snapshot', 'mine', '--yes', '--dry-run')
  expect({ code, text: out + err }).toEqual({
    code: 0,
    text: expect.stringContaining('Would delete all data of the local context: 1 template'),
  })
  expect(out + err).toContain('Would save the snapshot mine first')
  expect(await json('snapshot', 'list')).toEqual([])
  expect(await json('template', 'list')).toHaveLength(1)
})

test('with --yes nothing is asked, and no snapshot is saved', async () => {
  const { run, json } = await stocked()
  const { code, err } = await run(['reset', '--yes'], { tty: true, answers: {} })
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining(first) })
  expect(await json('snapshot', 'list')).toEqual([])
  expect(await json('template', 'list')).toEqual([])
})

test('users are counted, without the publisher that stays', async () => {
  const { vatom, json } = await stocked()
  for (const email of ['ann@example.com', 'bob@example.com'])
    expect(await vatom('user', 'register', '--email', email)).toMatchObject({ code: 0 })
  expect(await json('reset', '--dry-run')).toMatchObject({
    message: expect.stringContaining(
      'delete all data of the local context: 1 template, 2 users besides the publishers',
    ),
  })
  expect(await vatom('snapshot', 'save', 'two')).toMatchObject({
    out: 'Saved two: 1 template, 2 users besides the publishers\n',
  })
  expect(await json('reset', '--yes')).toMatchObject({ deleted: { templates: 1, users: 2 } })
  expect(await vatom('snapshot', 'load', 'two', '--yes')).toMatchObject({
    out: 'Loaded two: 1 template, 2 users besides the publishers\n',
  })
  expect(await json('reset', '--yes')).toMatchObject({ deleted: { templates: 1, users: 2 } })
})

test('the command that gets the data back has the context that was given', async () => {
  const { vatom } = await stocked()
  await vatom('context', 'add', 'dev', '--base-url', 'http://127.0.0.1:9', '--app-id', 'x')
  await vatom('context', 'use', 'dev')
  const { err } = await vatom('reset', '--context', 'local', '--snapshot', 's1', '--yes')
  const [, command = ''] = /To get it back: vatom (.*)\n/.exec(err) ?? []
  expect(await vatom(...command.split(' '), '--yes')).toMatchObject({ code: 0 })
})

test('without data the question has no count, and no snapshot is offered', async () => {
  const { run, vatom } = await publisher({ service: { db: `${newFolder()}/local.db` } })
  const { code, out, err } = await run(['reset'], {
    tty: true,
    answers: { 'Delete all data of the local context?': 'y' },
  })
  expect({ code, out }).toEqual({ code: 0, out: 'Deleted all data of the local context.\n' })
  expect(err).not.toMatch(/snapshot|nothing/)
  expect(await vatom('reset', '--snapshot', 'empty', '--yes')).toMatchObject({
    code: 0,
    err: expect.stringContaining('Saved empty. To get it back: vatom snapshot load empty'),
  })
})

test('data that came while the question stood is not deleted unasked', async () => {
  const { run, json, file } = await stocked()
  file('tea.yaml', template('$publisher::Tea::v1'))
  const createTea = async () => {
    await json('template', 'create', 'tea.yaml')
    return 'y'
  }
  const { code, err } = await run(['reset'], { tty: true, answers: { [first]: '', [question]: createTea } })
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('Nothing was done: the data has changed since the question'),
  })
  expect(await json('template', 'list')).toHaveLength(2)
})

describe('the copy that an upgrade of the database made', () => {
  const version = migrations.length - 1

  /** A database of an earlier version, with the secret that signs its tokens. */
  async function older(secret: string) {
    const path = join(newFolder(), 'local.db')
    const db = await openDatabase(path, migrations.slice(0, version))
    db.prepare('INSERT INTO settings VALUES (?, ?)').run('token_secret', secret)
    db.close()
    return path
  }

  /** A desk whose database was upgraded, and the names in its folder. */
  async function upgraded() {
    const db = await older('of this one')
    return {
      ...(await publisher({ service: { db } })),
      db,
      copy: `${db}.v${version}.bak`,
      names: () => readdirSync(dirname(db)),
    }
  }

  test('is deleted with all data, and named', async () => {
    const { run, vatom, json, copy, names } = await upgraded()
    const what = `all data of the local context, and the copy that an upgrade made (${copy})`
    const asked = await run(['reset'], { tty: true, columns: 300, answers: { [`Delete ${what}?`]: 'n' } })
    expect(asked).toMatchObject({ code: 1 })
    expect((await vatom('reset', '--yes', '--dry-run')).out).toContain(`Would delete ${what}`)
    expect(names()).toContain(basename(copy))
    expect(await vatom('reset', '--yes')).toMatchObject({ code: 0, out: `Deleted ${what}.\n` })
    expect(names().filter((name) => name.includes('.bak'))).toEqual([])
    expect(await json('reset', '--yes')).not.toHaveProperty('copies')
  })

  test('is deleted alone: other files stay, though they are named like one', async () => {
    const { json, db, copy, names } = await upgraded()
    copyFileSync(await older('of another database'), `${db}.v1.bak`)
    writeFileSync(`${db}.v2.bak`, 'no database')
    mkdirSync(`${db}.v3.bak`)
    for (const name of [`${db}.v04.bak`, `${db}.v4.bak.old`, `${db}.v0.bak`, join(db, '../other.db.v4.bak')])
      copyFileSync(copy, name)
    symlinkSync(`${db}.v0.bak`, `${db}.v5.bak`)
    const before = names()
    expect(await json('reset', '--yes')).toMatchObject({ copies: [copy] })
    expect(names()).toEqual(before.filter((name) => join(db, '..', name) !== copy))
  })
})
