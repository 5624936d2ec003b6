import { builtInOf } from '../domain/folders.ts'
import { publicName } from '../domain/user.ts'
import type { UserRow } from '../store/users.ts'
import type { VatomRow } from '../store/vatoms.ts'
import type { Told } from './reactor.ts'

/** What a user is told that another did: `<b>Name</b> sent you a <b>Title</b> vAtom.` */
export const toldBy = (user: UserRow, did: string, vatom: VatomRow, to: string): Told => ({
  to,
  from: user.id,
  text: `<b>${escaped(publicName(user) || 'Somebody')}</b> ${did} <b>${escaped(String(builtInOf(vatom).title))}</b> vAtom.`,
  vatom,
})

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign)
