import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openLedger } from '../../src/cli/catalog/apply/apply-ledger.ts'
import { targetFile } from '../../src/cli/service/target-name.ts'
import { writeOwn } from '../../src/whole-file.ts'
import { smallFile } from '../fixtures/files.ts'
import { template } from '../fixtures/yaml.ts'
import { assetPath } from '../support/assets.ts'
import { readInstead, replaceCall } from '../support/file-calls.ts'
import { folderWith, newDatabase, newFolder } from '../support/folders.ts'
import { hostWith } from '../support/host.ts'
import { testService } from '../support/service.ts'
import { serving } from '../support/serving.ts'
import { publisher } from '../support/vatom.ts'

/** Another user, and the one as whom those outside of a container show in it. */
const another = 1
const nobody = 65_534
const data = '.local/share/vatom'
const ledger = `${data}/applied/${targetFile('local')}.jsonl`

/** A link below a folder, of this user, or of another one, to whom nothing else there belongs. */
function link(home: string, name: string, to: string, owner?: number): string {
  const path = join(home, name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(to, path)
  if (owner !== undefined) lchownSync(path, owner, owner)
  return path
}

async function stocked() {
  const desk = await publisher()
  desk.file('c/tea.yaml', template('$publisher::Tea::v1'))
  return desk
}

const add = ['context', 'add', 'staging', '--base-url', 'https://api.example.com', '--app-id', 'x']
const precious = '{ }'
const elsewhere = () => join(folderWith({ precious }), 'precious')

describe.runIf(process.getuid?.() === 0)('a link of another user to what is not theirs is not written through', () => {
  const refusal = (path: string) =>
    expect.stringMatching(
      `${path} is a link of another user to what is not theirs(\nhint: remove the link|; apply again)`,
    )

  test.each([
    ['the apply ledger', ledger, ['apply', 'c', '--yes']],
    ['the owners', `${data}/owners/${targetFile('local')}.json`, ['apply', 'c', '--yes']],
    ['the contexts', '.config/vatom/config.json', add],
    ['the contexts that are read', '.config/vatom/config.json', ['context', 'list']],
    ['the tokens that are read', '.config/vatom/credentials.json', ['context', 'list']],
  ])('in the place of %s', async (_, name, command) => {
    const { home, vatom } = await stocked()
    const target = elsewhere()
    const path = link(home, name, target, another)
    expect((await vatom(...command)).err).toEqual(refusal(path))
    expect(readFileSync(target, 'utf8')).toBe(precious)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  test.each([
    ['the apply ledgers', dirname(ledger), ['apply', 'c', '--yes']],
    ['the data', data, ['apply', 'c', '--yes']],
    ['snapshots', `${data}/snapshots`, ['snapshot', 'save', 'one']],
    ['snapshots, of which there are none', `${data}/snapshots`, ['snapshot', 'list']],
    ['the contexts', '.config/vatom', add],
    ['all settings', '.config', add],
  ])('in the place of the folder of %s', async (_, name, command) => {
    const { home, vatom } = await stocked()
    const target = newFolder()
    const path = link(home, name, target, another)
    const { code, err } = await vatom(...command)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is a link of another user`) })
    expect(readdirSync(target)).toEqual([])
  })

  test.each(['config', 'credentials'])('nor is what is there read, in the place of the %s', async (name) => {
    const { home, vatom } = await publisher()
    await vatom(...add)
    rmSync(join(home, `.config/vatom/${name}.json`), { force: true })
    const target = join(folderWith({ precious: '{}' }), 'precious')
    const path = link(home, `.config/vatom/${name}.json`, target, another)
    const { code, err } = await vatom('whoami', '--context', 'staging')
    expect({ code, err }).toEqual({ code: 1, err: refusal(path) })
  })

  test('nothing is recorded of a service through one', async () => {
    const { home, vatom } = serving()
    const target = newFolder()
    const path = link(home, `${data}/serving`, target, another)
    const { code, err } = await vatom(['serve', '--port', '0'], async () => expect(readdirSync(target)).toEqual([]))
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`${path} is a link of another user`) })
  })

  test.each([
    ['the database', `${data}/local.db`, ''],
    ['its assets', `${data}/local.db.assets`, ''],
    ['the assets of a database of theirs', `${data}/local.db`, 'their.db'],
  ])('in the place of %s', async (_, name, theirs) => {
    const { home, vatom } = serving()
    const target = newFolder()
    const path =
      theirs === '' ? link(home, name, join(target, 'new'), another) : link(home, `${theirs}.assets`, target, another)
    if (theirs !== '') {
      writeFileSync(join(home, theirs), '')
      lchownSync(join(home, theirs), another, another)
      link(home, name, join(home, theirs), another)
    }
    const { code, err } = await vatom(['template', 'list'])
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        new RegExp(`${path} is a link of another user to what is not theirs\nhint: remove the link, or choose`),
      ),
    })
    expect(readdirSync(target)).toEqual([])
  })

  test('nor are files of assets stored through one that is made while a service runs', async () => {
    const db = newDatabase()
    const { publisher } = await testService({ db })
    const target = newFolder()
    const path = link(dirname(db), `${basename(db)}.assets`, target, another)
    const refused = await publisher.call('POST', assetPath, { files: [smallFile()] })
    expect(refused.status).toBe(503)
    expect(readdirSync(target)).toEqual([])
    rmSync(path)
    expect((await publisher.call('POST', assetPath, { files: [smallFile()] })).status).toBe(200)
  })

  test('nor are files set aside through one that is made while a service runs', async () => {
    const db = newDatabase()
    const { publisher: before } = await testService({ db })
    expect((await before.call('POST', assetPath, { files: [smallFile()] })).status).toBe(200)
    const { publisher } = await testService({ db })
    const [folder, target] = [`${db}.assets`, join(newFolder(), 'theirs')]
    renameSync(folder, target)
    writeFileSync(join(target, '00000000-0000-4000-8000-000000000000'), '')
    const found = readdirSync(target)
    link(dirname(db), basename(folder), target, nobody)
    expect((await publisher.call('POST', assetPath, { files: [smallFile()] })).status).toBe(503)
    expect(readdirSync(target)).toEqual(found)
  })

  test('in the place of the assets beside a link of this user to the database', async () => {
    const { home, vatom } = serving()
    const target = newFolder()
    link(home, `${data}/local.db`, join(newFolder(), 'own.db'))
    const path = link(home, `${data}/local.db.assets`, target, nobody)
    const { code, err } = await vatom(['template', 'list'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is a link of another user`) })
    expect(readdirSync(target)).toEqual([])
  })

  test.each(['wal', 'shm', 'journal'])('in the place of what is beside the database: its %s', async (ending) => {
    const { home, vatom } = serving()
    mkdirSync(join(home, data), { recursive: true })
    const target = elsewhere()
    const path = link(home, `${data}/local.db-${ending}`, target, another)
    const { code, err } = await vatom(['template', 'list'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is a link of another user`) })
    expect(readFileSync(target, 'utf8')).toBe(precious)
  })

  describe('nor is what snapshots hold read, or deleted', () => {
    const shelf = `${data}/snapshots`

    /** A home with a snapshot of a template, and where its parts are. */
    async function saved() {
      const desk = await stocked()
      expect(await desk.vatom('template', 'create', 'c/tea.yaml')).toMatchObject({ code: 0 })
      expect(await desk.vatom('snapshot', 'save', 'one')).toMatchObject({ code: 0 })
      const folder = readdirSync(join(desk.home, shelf)).find((name) => !name.endsWith('.json')) ?? ''
      return { ...desk, folder: `${shelf}/${folder}` }
    }

    test.each([
      ['its own file', () => `${shelf}/one.json`],
      ['its folder', (folder: string) => folder],
      ['its database', (folder: string) => `${folder}/service.db`],
      ['the folder of its assets', (folder: string) => `${folder}/assets`],
    ])('with %s', async (_, nameIn) => {
      const { home, vatom, folder } = await saved()
      const name = nameIn(folder)
      const target = join(newFolder(), 'moved')
      renameSync(join(home, name), target)
      const path = link(home, name, target, another)
      expect(await vatom('template', 'delete', '$publisher::Tea::v1', '--yes')).toMatchObject({ code: 0 })
      const { code, err } = await vatom('snapshot', 'load', 'one', '--yes')
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(`${path} is a link of another user to what is not theirs\nhint: remove the link\n`),
      })
      expect((await vatom('template', 'list')).out).not.toContain('Tea')
    })

    test.each([['list'], ['save', 'two'], ['load', 'one', '--yes'], ['delete', 'one', '--yes']])(
      'with their folder: %s',
      async (...command) => {
        const { home, vatom } = await saved()
        const target = join(newFolder(), 'moved')
        renameSync(join(home, shelf), target)
        const before = readdirSync(target)
        const path = link(home, shelf, target, another)
        const { code, err } = await vatom('snapshot', ...command)
        expect({ code, err }).toEqual({
          code: 1,
          err: expect.stringMatching(
            `${path} is a link of another user to what is not theirs\nhint: remove the link\n`,
          ),
        })
        expect(readdirSync(target)).toEqual(before)
      },
    )
  })

  test('in the place of what says whose the files of assets are', async () => {
    const { home, vatom } = serving()
    const target = join(newFolder(), 'new')
    const path = link(home, `${data}/local.db.assets/.database`, target, another)
    expect(await vatom(['snapshot', 'save', 'one'])).toMatchObject({ code: 0 })
    expect([existsSync(target), lstatSync(path).isSymbolicLink()]).toEqual([false, true])
  })

  test('one to what is theirs is, as where root runs vatom in a container with the home of its user', async () => {
    const { home, vatom } = await stocked()
    const folder = newFolder()
    lchownSync(folder, another, another)
    link(home, data, folder, another)
    expect(await vatom('apply', 'c', '--yes')).toMatchObject({ code: 0 })
    expect(readdirSync(folder).sort()).toEqual(['applied', 'owners'])
  })

  test.each([
    ['that a link of this user leads to', 'theirs/precious'],
    ['that a link of this user leads back from', 'theirs/../precious'],
  ])('%s', async (_, to) => {
    const { home, vatom } = await publisher()
    const target = folderWith({ precious, 'inner/x': '' })
    const path = link(home, 'theirs', to.includes('..') ? join(target, 'inner') : target, another)
    link(home, '.config/vatom/config.json', `${home}/${to}`)
    expect((await vatom(...add)).err).toEqual(refusal(path))
    expect(readFileSync(join(target, 'precious'), 'utf8')).toBe(precious)
  })

  test('nor where the name of what is theirs is reached, and another place by the links on its way', async () => {
    const { home, vatom } = await publisher()
    const target = folderWith({ precious, 'inner/x': '' })
    link(home, 'own', join(target, 'inner'))
    writeFileSync(join(home, 'precious'), '{ }')
    lchownSync(join(home, 'precious'), another, another)
    const path = link(home, '.config/vatom/config.json', `${home}/own/../precious`, another)
    expect((await vatom(...add)).err).toEqual(refusal(path))
    expect(readFileSync(join(target, 'precious'), 'utf8')).toBe(precious)
  })

  test('to nothing, which a link of this user leads to', async () => {
    const { home, vatom } = serving()
    const target = newFolder()
    const path = link(home, 'theirs', join(target, 'new.db'), another)
    link(home, `${data}/local.db`, path)
    const { code, err } = await vatom(['template', 'list'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is a link of another user`) })
    expect(readdirSync(target)).toEqual([])
  })

  describe('in a container that does not know all users of its machine', () => {
    const few = '0 100000 1000'
    const remapped = '0 100000 65536'
    const rootless = '         0       1000          1\n         1     100000      65536'

    /** With a map of users, in a folder of a user and a mode, a link of another one, to which one in the place of the data leads. */
    function linked(home: string, map: string, owner: number, mode: number, whose = nobody) {
      readInstead('/proc/self/uid_map', join(folderWith({ map: `${map}\n` }), 'map'))
      const folder = newFolder()
      const target = newFolder()
      const path = link(folder, 'data', target, whose)
      lchownSync(folder, owner, owner)
      chmodSync(folder, mode)
      link(home, data, path)
      return { path, target, folder }
    }

    test.each([
      [few, nobody],
      [few, 0],
      [remapped, 0],
      [rootless, 0],
    ])('one of a user outside is followed in a folder that nobody else can change: %s, of %i', async (map, owner) => {
      const { home, vatom } = await stocked()
      const { target } = linked(home, map, owner, 0o755)
      expect(await vatom('apply', 'c', '--yes')).toMatchObject({ code: 0 })
      expect(readdirSync(target).sort()).toEqual(['applied', 'owners'])
    })

    test.each([
      ['that a group can change', few, nobody, 0o775],
      ['that all can change', few, nobody, 0o757],
      ['in which all can make files', remapped, 0, 0o1777],
      ['of another user within', few, 999, 0o755],
      ['that may be of nobody within', remapped, nobody, 0o755],
      ['that may be of nobody within, where the map has two lines', rootless, nobody, 0o755],
      ['of this user, where no users are outside', '0 0 4294967295', 0, 0o755],
    ])('it is not in a folder %s', async (_, map, owner, mode) => {
      const { home, vatom } = await stocked()
      const { path, target } = linked(home, map, owner, mode)
      const { code, err } = await vatom('apply', 'c', '--yes')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is a link of another user`) })
      expect(readdirSync(target)).toEqual([])
    })

    test('nor is one of another user within', async () => {
      const { home, vatom } = await stocked()
      const { path, target } = linked(home, remapped, 0, 0o755, another)
      const { code, err } = await vatom('apply', 'c', '--yes')
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`${path} is a link of another user`) })
      expect(readdirSync(target)).toEqual([])
    })

    test.each([remapped, rootless])('a link within a volume of the machine’s root is followed: %s', async (map) => {
      const { home, vatom } = await stocked()
      const { target, folder } = linked(home, map, nobody, 0o755)
      lchownSync(target, nobody, nobody)
      expect(lstatSync(folder).uid).toBe(nobody)
      expect(await vatom('apply', 'c', '--yes')).toMatchObject({ code: 0 })
      expect(readdirSync(target).sort()).toEqual(['applied', 'owners'])
    })
  })
})

describe('a link of this user is followed', () => {
  test('in the place of the folder of the data', async () => {
    const { home, vatom } = await stocked()
    const folder = newFolder()
    link(home, data, folder)
    expect(await vatom('apply', 'c', '--yes')).toMatchObject({ code: 0 })
    expect(readdirSync(folder).sort()).toEqual(['applied', 'owners'])
  })

  test('in the place of the contexts, and stays', async () => {
    const { home, vatom } = await publisher()
    const target = elsewhere()
    const path = link(home, '.config/vatom/config.json', target)
    expect(await vatom(...add)).toMatchObject({ code: 0 })
    expect(readFileSync(target, 'utf8')).toContain('staging')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  test('also where it leads to a file that is to be made', async () => {
    const { home, vatom } = await publisher()
    const target = join(newFolder(), 'contexts.json')
    const path = link(home, '.config/vatom/config.json', target)
    expect(await vatom(...add)).toMatchObject({ code: 0 })
    expect(readFileSync(target, 'utf8')).toContain('staging')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  test('unless it leads in a circle', () => {
    const folder = newFolder()
    const path = link(folder, 'config.json', join(folder, 'config.json'))
    expect(() => writeOwn(path, 'new')).toThrow(
      expect.objectContaining({ code: 'ELOOP', message: `${path} leads through too many links` }),
    )
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('in the place of the database', async () => {
    const { home, vatom } = serving()
    const target = join(newFolder(), 'big.db')
    link(home, `${data}/local.db`, target)
    expect(await vatom(['template', 'list'])).toMatchObject({ code: 0 })
    expect(existsSync(target)).toBe(true)
  })
})

describe('a link that is made meanwhile is not followed', () => {
  test('while a file is written', () => {
    const target = elsewhere()
    const path = join(newFolder(), 'config.json')
    const restore = replaceCall('writeFileSync', (write) => (file, text, how) => {
      restore()
      symlinkSync(target, path)
      write(file, text, how)
    })
    writeOwn(path, 'new')
    expect([readFileSync(path, 'utf8'), lstatSync(path).isFile(), readFileSync(target, 'utf8')]).toEqual([
      'new',
      true,
      precious,
    ])
  })

  test.runIf(process.getuid?.() === 0)('and what is written in the place of a file has its owner and its mode', () => {
    const path = join(folderWith({ 'a.json': 'old' }), 'a.json')
    lchownSync(path, nobody, nobody - 1)
    chmodSync(path, 0o640)
    writeOwn(path, 'new')
    const { uid, gid, mode } = statSync(path)
    expect([uid, gid, mode & 0o777, readFileSync(path, 'utf8')]).toEqual([nobody, nobody - 1, 0o640, 'new'])
  })

  test('where a snapshot is given its name', async () => {
    const { vatom } = await stocked()
    const target = elsewhere()
    const restore = replaceCall('writeFileSync', (write) => (file, text, how) => {
      if (String(file).endsWith('.part')) {
        restore()
        symlinkSync(target, String(file))
      }
      write(file, text, how)
    })
    const { code, err } = await vatom('snapshot', 'save', 'one')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('EEXIST') })
    expect(readFileSync(target, 'utf8')).toBe(precious)
  })

  const options = { target: 'a', plan: null, host: hostWith({ now: () => new Date() }) }

  test('before a ledger that was begun is written to', async () => {
    const target = elsewhere()
    replaceCall('renameSync', (rename) => (from, to) => {
      rename(from, to)
      rmSync(to)
      symlinkSync(target, to)
    })
    await expect(openLedger(newFolder(), options)).rejects.toMatchObject({ code: 'ledger_unwritable' })
    expect(readFileSync(target, 'utf8')).toBe(precious)
  })

  test('while a run shows that it holds its lock, which it does', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = newFolder()
    const lock = join(folder, `${targetFile('a')}.lock`)
    const ledger = await openLedger(folder, options)
    onTestFinished(() => ledger.close(false))
    const long = new Date(0)
    const touched = (path: string) => {
      utimesSync(path, long, long)
      vi.advanceTimersByTime(2_000)
      return statSync(path).mtimeMs > 0
    }
    expect(touched(lock)).toBe(true)
    const target = join(folderWith({ other: readFileSync(lock) }), 'other')
    rmSync(lock)
    symlinkSync(target, lock)
    expect(touched(target)).toBe(false)
    rmSync(lock)
    writeFileSync(lock, 'precious')
    expect([touched(lock), readFileSync(lock, 'utf8')]).toEqual([false, 'precious'])
  })
})
