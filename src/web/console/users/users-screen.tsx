import { route } from '../shell/route.ts'
import { VatomScreen } from '../vatom/vatom-screen.tsx'
import { InventoryScreen } from './inventory-screen.tsx'
import { UserList } from './user-list.tsx'

/** The users; what one of them owns; one vAtom, as one of them sees it. */
export function UsersScreen() {
  const { words, query } = route.value
  const [, user, what, vatom] = words
  if (user === undefined) return <UserList />
  if (what === 'vatom' && vatom !== undefined) return <VatomScreen key={`${user} ${vatom}`} user={user} id={vatom} />
  const folder = query.get('in') ?? undefined
  return <InventoryScreen key={`${user} ${folder}`} user={user} folder={folder} />
}
