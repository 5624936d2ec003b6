import { useEffect, useMemo } from 'preact/hooks'
import { plural } from '../../../contract/schema/wording.ts'
import { nameOf, usePeople } from '../service/people.ts'
import { Commands } from '../shell/commands.tsx'
import { namePage } from '../shell/page-title.ts'
import { Empty, Problem } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { shellWord } from '../shell/shell-word.ts'
import { TileGrid } from '../shell/tile-grid.tsx'
import { Face } from '../vatom/face.tsx'
import { type Found, isFolder, propertyText, titleOf } from '../vatom/found.ts'
import { linkAs } from '../vatom/who-sees.tsx'
import { openInventory } from './inventory.ts'

interface InventoryProps {
  readonly user: string
  /** The id of a folder; undefined for the root. */
  readonly folder: string | undefined
}

/** What a user owns, as icon faces; folders lead to what is in them. */
export function InventoryScreen({ user, folder }: InventoryProps) {
  const inventory = useMemo(() => openInventory(user, folder ?? '.'), [user, folder])
  useEffect(() => inventory.close, [inventory])
  usePeople()
  const { vatoms, isLoading, problem } = inventory
  const who = nameOf(user)
  namePage(who)
  return (
    <div class="page filled">
      <nav aria-label="Path" class="path-line">
        <a href={linkTo('users')}>Users</a>
        {folder === undefined ? <span aria-current="page">{who}</span> : <a href={linkTo('users', user)}>{who}</a>}
        {folder !== undefined && <span aria-current="page">in a folder</span>}
      </nav>
      <div class="tools heading">
        <h2>{folder === undefined ? who : `In a folder of ${who}`}</h2>
        <p class="muted">
          As this user: <a href={linkAs(user, 'discover')}>Discover</a>, <a href={linkAs(user, 'map')}>Map</a>,{' '}
          <a href={linkAs(user, 'events')}>Events</a>
        </p>
      </div>
      {problem.value === undefined ? (
        <p class="count" role="status">
          {plural(vatoms.value.length, 'vAtom')}
          {vatoms.value.some(isFolder) && ', without what is in folders'}
          {isLoading.value && ', loading'}
        </p>
      ) : (
        <Problem>{problem.value}</Problem>
      )}
      {problem.value === undefined && !isLoading.value && vatoms.value.length === 0 && (
        <NothingOwned user={user} folder={folder} />
      )}
      {vatoms.value.length > 0 && (
        <TileGrid
          label={`vAtoms of ${who}`}
          items={vatoms.value}
          keyOf={({ id }) => id}
          tile={{ width: 132, height: 184 }}
          draw={(found, tabIndex) => <Tile user={user} found={found} tabIndex={tabIndex} />}
        />
      )}
    </div>
  )
}

interface TileProps {
  readonly user: string
  readonly found: Found
  readonly tabIndex: 0 | -1
}

const Tile = ({ user, found, tabIndex }: TileProps) => (
  <a class="tile" href={linkTo('users', user, 'vatom', found.id)} tabIndex={tabIndex}>
    <span class="icon">
      <Face vatom={found.vatom} faces={found.faces} viewMode="icon" />
    </span>
    <span class="title">{titleOf(found)}</span>
    <span class="muted">{marksOf(found)}</span>
  </a>
)

const marksOf = (found: Found): string =>
  [
    isFolder(found) && 'folder',
    found.vatom.unpublished && 'draft',
    propertyText(found, 'dropped') === 'true' && 'on the map',
  ]
    .filter(Boolean)
    .join(', ')

const NothingOwned = ({ user, folder }: InventoryProps) =>
  folder === undefined ? (
    <Empty title="This user owns nothing yet">
      <p>Emit vAtoms as a publisher, and transfer one to this user:</p>
      <Commands
        lines={({ vatom, here }) => [
          `${vatom} emit VARIATION ${here}`,
          `${vatom} act Transfer ID -d new.owner.id=${shellWord(user)} ${here}`,
        ]}
      />
    </Empty>
  ) : (
    <Empty title="There is nothing in this folder">
      <p>Its owner puts a vAtom into it:</p>
      <Commands user={user} lines={({ vatom, here }) => [`${vatom} update ID --folder ${shellWord(folder)} ${here}`]} />
    </Empty>
  )
