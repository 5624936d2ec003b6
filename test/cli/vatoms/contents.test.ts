import { expect, onTestFinished, test, vi } from 'vitest'
import { contentsById } from '../../../src/cli/vatoms/contents.ts'
import { limits } from '../../../src/contract/limits.ts'
import { facing } from '../../support/desks.ts'

const type = 'vAtom::vAtomType'
const vatomIn = (parent_id: string, id: string, root_type: string = type, title = '') => ({
  id,
  [type]: { root_type, parent_id, title },
})
const folderIn = (parent_id: string, id: string) => vatomIn(parent_id, id, `${type}::FolderContainerType`)
type Vatoms = ReturnType<typeof vatomIn>[]

/** What reads the folder `root` of a service, with what is on a page of any folder. */
function readerOf(pageOf: (folder: string, page: number) => Vatoms) {
  let read = 0
  const page = (vatoms: Vatoms) => ({ vatoms, faces: [], actions: [] })
  return {
    getVatoms: async () => page([folderIn('.', 'root')]),
    getInventory: async ({ body = {} }: { body?: { parent_id?: string | null; page?: number | null } }) => {
      if (++read > 10 * limits.pages) throw new Error('asked without an end')
      return page(pageOf(body.parent_id ?? '', body.page ?? 1))
    },
  }
}

const endlessAfter = (most: string) => ({
  code: 'endless_list',
  message: `The service's list did not end after ${most} in root`,
  hint: 'nothing was changed; to see what is in it: vatom inventory --folder root',
})

const inside = async (reader: ReturnType<typeof readerOf>) => (await contentsById(reader, ['root'])).get('root')

test('what is in a folder is found on all levels, in order, each folder read once', async () => {
  const folders: Record<string, Vatoms> = {
    root: [folderIn('root', 'a'), vatomIn('root', 'b'), folderIn('root', 'c')],
    a: [vatomIn('a', 'd'), folderIn('a', 'root')],
    c: [folderIn('c', 'e'), vatomIn('elsewhere', 'f')],
    e: [vatomIn('e', 'g')],
  }
  const reader = readerOf((folder, page) => (page === 1 ? (folders[folder] ?? []) : []))
  const found = await inside(reader)
  expect(found?.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'root', 'e', 'g'])
})

test('a folder in each folder is given up after as many folders as a list may have pages', async () => {
  const reader = readerOf((folder, page) => (page === 1 ? [folderIn(folder, String((Number(folder) || 0) + 1))] : []))
  await expect(inside(reader)).rejects.toMatchObject(endlessAfter(`${limits.pages} folders`))
})

test('the vAtoms in all folders of a folder are as many as one list may have at most, and as large', async () => {
  const many = (count: number, title = '') => {
    const ids = Array.from({ length: count }, (_, index) => `v${index}`)
    return readerOf((folder, page) => {
      if (page > 1) return []
      if (folder === 'root') return ['a', 'b', 'c'].map((id) => folderIn('root', id))
      return ids.map((id) => vatomIn(folder, folder + id, type, title))
    })
  }
  const bounds = [
    vi.spyOn<{ listed: number }, 'listed'>(limits, 'listed', 'get').mockReturnValue(1000),
    vi
      .spyOn<{ listedCharacters: number }, 'listedCharacters'>(limits, 'listedCharacters', 'get')
      .mockReturnValue(500_000),
  ]
  onTestFinished(() => {
    for (const bound of bounds) bound.mockRestore()
  })
  await expect(inside(many(500))).rejects.toMatchObject(endlessAfter('1000 records'))
  await expect(inside(many(200, 'x'.repeat(2000)))).rejects.toMatchObject(endlessAfter('500000 characters'))
})

test('trash gives up a folder with too many folders in it, says in which, and trashes nothing', async () => {
  const id = '11111111-1111-4111-8111-111111111111'
  const folders = Array.from({ length: limits.pages }, (_, index) => folderIn(id, `f${index}`))
  const asked: string[] = []
  const { run, env } = await facing(async (request, response) => {
    asked.push(String(request.url))
    const { page = 1 } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const vatoms = request.url?.endsWith('/vatom/get') ? [folderIn('.', id)] : page === 1 ? folders : []
    response.end(JSON.stringify({ payload: { vatoms, faces: [], actions: [] } }))
  })
  const { code, out, err } = await run(['trash', id, '--yes'], { env })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(`error: The service's list did not end after ${limits.pages} folders in ${id}\n`)
  expect(err).toContain(`hint: nothing was changed; to see what is in it: vatom inventory --folder ${id}\n`)
  expect(asked.filter((url) => url.includes('trash'))).toEqual([])
})
