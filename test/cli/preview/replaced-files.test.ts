import { lchownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { png } from '../../fixtures/files.ts'
import { template } from '../../fixtures/yaml.ts'
import { pagesOf } from '../../support/console-pages.ts'
import { callOtherwise, replaceCall } from '../../support/file-calls.ts'
import { folderWith } from '../../support/folders.ts'
import { previewing, signedIn } from '../../support/previewing.ts'

const secret = 'secret'
const picture = (value: string) => template().replace('https://example.com/card.png', value)

/** A catalog with a picture, and a folder elsewhere that has a file of the same name. */
const parts = () => ({
  cwd: folderWith({ 'shop/coupon.yaml': picture('images/icon.png'), 'shop/images/icon.png': png }),
  elsewhere: folderWith({ 'icon.png': secret, 'shop/images/icon.png': secret }),
})

/** What a running preview has of the picture: in the catalog as it is read now, or at an address that it had. */
interface Shown {
  readonly icon: () => Promise<string | undefined>
  readonly notes: () => Promise<readonly string[] | undefined>
  readonly at: (address: string) => Promise<{ readonly status: number; readonly body: Buffer }>
}

const looking = (cwd: string, look: (shown: Shown) => Promise<unknown>) =>
  previewing(
    cwd,
    ['shop', '--json'],
    async (preview) => {
      const { get, catalog } = await signedIn(preview)
      const subject = async () => (await catalog()).subjects[0]
      await look({
        icon: async () => Object.values((await subject())?.addresses ?? {})[0],
        notes: async () => (await subject())?.notes,
        at: async (address) => {
          const answer = await get(address)
          return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
        },
      })
    },
    { pages: pagesOf('preview') },
  )

const isRefused = ({ status, body }: Awaited<ReturnType<Shown['at']>>) => {
  expect(body.toString()).toBe('There is nothing at this address.\n')
  expect(status).toBe(404)
}

test.each<[string, (cwd: string, elsewhere: string) => void]>([
  [
    'it',
    (cwd, elsewhere) => {
      rmSync(join(cwd, 'shop/images/icon.png'))
      symlinkSync(join(elsewhere, 'icon.png'), join(cwd, 'shop/images/icon.png'))
    },
  ],
  [
    'its folder',
    (cwd, elsewhere) => {
      renameSync(join(cwd, 'shop/images'), join(cwd, 'shop/before'))
      symlinkSync(elsewhere, join(cwd, 'shop/images'))
    },
  ],
  [
    'the catalog',
    (cwd, elsewhere) => {
      renameSync(join(cwd, 'shop'), join(cwd, 'before'))
      symlinkSync(join(elsewhere, 'shop'), join(cwd, 'shop'))
    },
  ],
])('a file is not served once a link is in the place of %s', async (_, swap) => {
  const { cwd, elsewhere } = parts()
  await looking(cwd, async ({ icon, at }) => {
    const address = (await icon()) ?? ''
    expect(await at(address)).toEqual({ status: 200, body: Buffer.from(png) })
    swap(cwd, elsewhere)
    isRefused(await at(address))
  })
})

/** Has the system not say where an open file is, as macOS does not. */
function withoutPlaces(): void {
  const isOpen = (path: unknown) => String(path).startsWith('/proc/self/fd/')
  replaceCall('readlinkSync', (read) => {
    const apply = (target: typeof read, self: unknown, given: unknown[]) => {
      if (isOpen(given[0])) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      return Reflect.apply(target, self, given)
    }
    return new Proxy(read, { apply })
  })
}

test.each([
  ['', () => {}],
  [' where the system does not say what is open', withoutPlaces],
])('a link that is there only while a file is opened does not have another one served%s', async (_, prepare) => {
  const { cwd, elsewhere } = parts()
  prepare()
  const [folder, before] = [join(cwd, 'shop/images'), join(cwd, 'shop/before')]
  await looking(cwd, async ({ icon, at }) => {
    const address = (await icon()) ?? ''
    let swaps = 0
    const end = replaceCall('openSync', (open) => (path, ...how) => {
      if (path !== join(folder, 'icon.png')) return open(path, ...how)
      renameSync(folder, before)
      symlinkSync(elsewhere, folder)
      try {
        return open(path, ...how)
      } finally {
        rmSync(folder)
        renameSync(before, folder)
        swaps += 1
      }
    })
    try {
      isRefused(await at(address))
    } finally {
      end()
    }
    expect(swaps).toBe(1)
    expect(await at(address)).toEqual({ status: 200, body: Buffer.from(png) })
  })
})

test('a catalog that is replaced by a link has no files elsewhere', async () => {
  const { cwd, elsewhere } = parts()
  await looking(cwd, async ({ icon, notes }) => {
    expect(await icon()).toBeDefined()
    renameSync(join(cwd, 'shop'), join(cwd, 'before'))
    writeFileSync(join(elsewhere, 'shop/coupon.yaml'), picture('images/icon.png'))
    symlinkSync(join(elsewhere, 'shop'), join(cwd, 'shop'))
    expect(await icon()).toBeUndefined()
    expect(await notes()).toEqual(['CardImage: images/icon.png is outside the catalog'])
  })
})

test.runIf(process.getuid?.() === 0).each([
  ['has no files', 1, true],
  ['has its files where it is of this user', 0, false],
])('a catalog that is a link to elsewhere %s', async (_, owner, isOutside) => {
  const { elsewhere } = parts()
  writeFileSync(join(elsewhere, 'shop/coupon.yaml'), picture('images/icon.png'))
  const cwd = folderWith({})
  symlinkSync(join(elsewhere, 'shop'), join(cwd, 'shop'))
  lchownSync(join(cwd, 'shop'), owner, owner)
  await looking(cwd, async ({ icon }) => expect((await icon()) === undefined).toBe(isOutside))
})

test('a catalog that is named otherwise than the system calls it has its files', async () => {
  const { cwd, elsewhere } = parts()
  callOtherwise(join(cwd, 'shop'), join(elsewhere, 'shop'))
  await looking(cwd, async ({ icon, notes, at }) => {
    expect(await notes()).toEqual([])
    expect((await at((await icon()) ?? '')).status).toBe(200)
  })
})

test('a file that is edited, or saved by a new one of its name, is served as it is now', async () => {
  const { cwd } = parts()
  const [path, fresh] = [join(cwd, 'shop/images/icon.png'), join(cwd, 'shop/images/fresh')]
  await looking(cwd, async ({ icon, at }) => {
    const first = (await icon()) ?? ''
    writeFileSync(path, 'edited')
    const second = (await icon()) ?? ''
    expect(second).not.toBe(first)
    writeFileSync(fresh, 'saved anew')
    renameSync(fresh, path)
    const savedAnew = { status: 200, body: Buffer.from('saved anew') }
    // The page has not read the catalog again yet.
    expect(await at(second)).toEqual(savedAnew)
    const third = (await icon()) ?? ''
    expect(await at(third)).toEqual(savedAnew)
    rmSync(join(cwd, 'shop/images'), { recursive: true })
    mkdirSync(join(cwd, 'shop/images'))
    writeFileSync(path, 'with its folder')
    expect(await at(third)).toEqual({ status: 200, body: Buffer.from('with its folder') })
  })
})

test('a link within the catalog is served, and what it leads to after it has changed', async () => {
  const { cwd } = parts()
  const path = join(cwd, 'shop/images/icon.png')
  writeFileSync(join(cwd, 'shop/one.png'), 'one')
  writeFileSync(join(cwd, 'shop/other.png'), 'other')
  const linkTo = (name: string) => {
    rmSync(path)
    symlinkSync(`../${name}`, path)
  }
  linkTo('one.png')
  await looking(cwd, async ({ icon, at }) => {
    expect((await at((await icon()) ?? '')).body.toString()).toBe('one')
    linkTo('other.png')
    expect((await at((await icon()) ?? '')).body.toString()).toBe('other')
  })
})
