import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { plural } from '../../../contract/schema/wording.ts'
import { geoFilters } from '../../../contract/values.ts'
import { followEvents } from '../service/live.ts'
import { nameOf } from '../service/people.ts'
import { Choice } from '../shell/choice.tsx'
import { Problem } from '../shell/problem.tsx'
import { linkTo } from '../shell/route.ts'
import { useSearch } from '../shell/use-search.ts'
import { propertyText, titleOf } from '../vatom/found.ts'
import { useSeer, WhoSees } from '../vatom/who-sees.tsx'
import { DropForm } from './drop-form.tsx'
import { type GeoFilter, loadMap, type OnMap, pause, type Watching } from './on-map.ts'
import { degrees, fitted, type Place, regionOf, type View, wholeWorld } from './view.ts'
import { WorldMap, ZoomButtons } from './world-map.tsx'

/** What lies where, as a user finds it; a vAtom is dropped where one clicks. */
export function MapScreen() {
  const user = useSeer()
  const view = useSignal<View>(wholeWorld)
  return <UsersMap key={user.value} user={user} view={view} />
}

interface UsersMapProps {
  readonly user: Signal<string>
  readonly view: Signal<View>
}

function UsersMap({ user, view }: UsersMapProps) {
  const filter = useSignal<GeoFilter>('vatoms')
  const place = useSignal<Place | undefined>(undefined)
  /** The map is searched again when it changes. */
  const turn = useSignal(0)
  const reload = () => {
    turn.value++
  }
  const events = useMemo(
    () => followEvents(user.value, { receive: ({ type }) => type !== 'info' && reload(), again: reload }),
    [],
  )
  useEffect(() => events.close, [events])
  useSignalEffect(() => events.watch(regionOf(view.value)))
  const { result: shown, problem } = useSearch(pause, () => {
    const [wanted, as, what] = [view.value, user.value, filter.value, turn.value]
    return async () => {
      const found = await loadMap(as, wanted, what)
      return { ...found, watching: withoutOwn(found.watching, as, wanted) }
    }
  })
  return (
    <div class="page map-page">
      <div class="tools heading">
        <h2>Map</h2>
        <WhoSees
          label="As"
          user={user.value}
          choose={(id) => {
            user.value = id
          }}
        />
        <Choice
          label="Find"
          value={filter.value}
          options={geoFilters.map((one) => [one, one])}
          set={(to) => {
            filter.value = to
          }}
        />
        <button type="button" onClick={reload}>
          Reload
        </button>
      </div>
      {problem.value !== undefined && <Problem>{problem.value}</Problem>}
      <div class="map-sides">
        <div class="map-side">
          <WorldMap user={user.value} view={view} place={place} shown={shown.value} />
          <ZoomButtons view={view} place={place} />
        </div>
        <div class="map-side">
          {shown.value && <Lying shown={shown.value} view={view} user={user.value} />}
          <DropForm user={user.value} place={place} turn={turn} dropped={reload} />
          {shown.value && <Watched watching={shown.value.watching} view={view} />}
        </div>
      </div>
    </div>
  )
}

/** Without what this page itself watches. */
function withoutOwn(watching: readonly Watching[], user: string, view: View): Watching[] {
  const own = regionOf(view)
  const isOwn = ({ user: whose, region }: Watching) =>
    whose === user &&
    Math.abs(region.top_left.lon - own.top_left.lon) + Math.abs(region.bottom_right.lat - own.bottom_right.lat) < 1e-6
  const index = watching.findIndex(isOwn)
  return watching.filter((_, other) => other !== index)
}

interface SideProps {
  readonly view: Signal<View>
}

/** What lies in the view, as a list. */
const Lying = ({ shown: { total, vatoms, groups }, user, view }: SideProps & { shown: OnMap; user: string }) => {
  const show = (place: Place, width: number) => {
    view.value = fitted({ lat: place.lat, lon: place.lon, width: Math.min(view.value.width, width) })
  }
  return (
    <section aria-label="On the map">
      <p class="count" role="status">
        {total === 0 ? 'Nothing lies here' : `${plural(total, 'vAtom')} on this part of the map`}
      </p>
      {total > 0 && (
        <ul class="people on-map">
          {vatoms.map(({ found, ...where }) => (
            <li key={found.id}>
              <a href={linkTo('users', user, 'vatom', found.id)}>
                <span class="who">{titleOf(found)}</span>
                <span class="muted">
                  {where.lat.toFixed(4)}, {where.lon.toFixed(4)}, of {nameOf(propertyText(found, 'owner'))}
                </span>
              </a>
              <button type="button" onClick={() => show(where, 1)}>
                Show
              </button>
            </li>
          ))}
          {groups.map(({ key, count, ...where }) => (
            <li key={key}>
              <span class="who">
                {plural(count, 'vAtom')}{' '}
                <span class="muted">
                  near {degrees(where.lat, view.value)}, {degrees(where.lon, view.value)}
                </span>
              </span>
              <button type="button" onClick={() => show(where, view.value.width / 4)}>
                Zoom in
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The regions that open sockets watch. */
const Watched = ({ watching, view }: SideProps & { readonly watching: readonly Watching[] }) => (
  <section aria-label="Watched regions">
    <h3>Watched by open WebSockets</h3>
    {watching.length === 0 ? (
      <p class="muted">No app has asked for the events of a part of the map.</p>
    ) : (
      <ul class="people on-map">
        {watching.map(({ user, region: { top_left, bottom_right } }, index) => (
          <li key={`${user} ${index}`}>
            <span class="who">
              {nameOf(user)}{' '}
              <span class="muted">
                {top_left.lat}, {top_left.lon} to {bottom_right.lat}, {bottom_right.lon}
              </span>
            </span>
            <button
              type="button"
              onClick={() => {
                const [lat, lon] = [(top_left.lat + bottom_right.lat) / 2, (top_left.lon + bottom_right.lon) / 2]
                view.value = fitted({ lat, lon, width: 1.5 * (bottom_right.lon - top_left.lon) })
              }}
            >
              Show
            </button>
          </li>
        ))}
      </ul>
    )}
  </section>
)
