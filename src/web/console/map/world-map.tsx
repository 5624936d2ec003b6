import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { nameOf } from '../service/people.ts'
import { linkTo } from '../shell/route.ts'
import { titleOf } from '../vatom/found.ts'
import type { OnMap, Watching } from './on-map.ts'
import { boxOf, degrees, fitted, gridStep, isIn, moved, type Place, type View, wholeWorld, zoomed } from './view.ts'

interface WorldMapProps {
  readonly user: string
  readonly view: Signal<View>
  /** The place that is chosen. */
  readonly place: Signal<Place | undefined>
  readonly shown: OnMap | undefined
}

/** The groups that are drawn at most, the largest ones. */
const mostGroups = 300
/** Pixels that a pointer may move while it chooses a place. */
const clickSlack = 4

/** The map: what lies where, and the regions that sockets watch. A click chooses a place, as Enter does in the middle. */
export function WorldMap({ user, view, place, shown }: WorldMapProps) {
  const area = useRef<HTMLDivElement>(null)
  const held = useRef<{ readonly x: number; readonly y: number; readonly from: View; isMoved: boolean } | undefined>(
    undefined,
  )
  const at = ({ clientX, clientY }: MouseEvent): Place => {
    const box = area.current?.getBoundingClientRect()
    const { bottom_left, top_right } = boxOf(view.value)
    const [x, y] = box ? [(clientX - box.left) / box.width, (clientY - box.top) / box.height] : [0.5, 0.5]
    return {
      lat: top_right.lat - y * (top_right.lat - bottom_left.lat),
      lon: bottom_left.lon + x * (top_right.lon - bottom_left.lon),
    }
  }
  const drag = ({ clientX, clientY }: PointerEvent) => {
    const box = area.current?.getBoundingClientRect()
    if (!held.current || !box) return
    const [x, y] = [clientX - held.current.x, clientY - held.current.y]
    held.current.isMoved ||= Math.hypot(x, y) > clickSlack
    if (held.current.isMoved) view.value = moved(held.current.from, -x / box.width, y / box.height)
  }
  const pressed = (event: KeyboardEvent) => {
    const move = keys[event.key]
    if (event.key === 'Enter') place.value = { lat: view.value.lat, lon: view.value.lon }
    else if (move) view.value = move(view.value)
    else return
    event.preventDefault()
  }
  return (
    <div class="map-area" ref={area}>
      <svg
        viewBox={viewBoxOf(view.value)}
        tabindex={0}
        role="application"
        aria-label="Map. Arrows move it, plus and minus zoom, 0 shows all, Enter chooses the middle. The list has what lies on it."
        onKeyDown={pressed}
        onWheel={(event) => {
          event.preventDefault()
          view.value = zoomed(view.value, event.deltaY > 0 ? 1.25 : 0.8, at(event))
        }}
        onPointerDown={(event) => {
          held.current = { x: event.clientX, y: event.clientY, from: view.value, isMoved: false }
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={drag}
        onPointerUp={(event) => {
          if (held.current && !held.current.isMoved) place.value = at(event)
          held.current = undefined
        }}
      >
        <Outline />
        <Grid view={view.value} />
        {shown?.watching.map((watching, index) => (
          <Region key={`${watching.user} ${index}`} watching={watching} />
        ))}
      </svg>
      {shown?.vatoms.map(({ found, ...where }) => (
        <a
          key={found.id}
          class="dot"
          style={positionIn(view.value, where)}
          href={linkTo('users', user, 'vatom', found.id)}
          title={titleOf(found)}
          tabIndex={-1}
        >
          <span>{titleOf(found)}</span>
        </a>
      ))}
      {shown?.groups.slice(0, mostGroups).map(({ key, count, ...where }) => (
        <button
          key={key}
          type="button"
          class="cluster"
          style={positionIn(view.value, where)}
          aria-label={`${count} vAtoms: zoom in`}
          tabIndex={-1}
          onClick={() => {
            view.value = zoomed(fitted({ ...where, width: view.value.width }), 0.25, where)
          }}
        >
          {count}
        </button>
      ))}
      {place.value && <span class="pin" style={positionIn(view.value, place.value)} title="The chosen place" />}
      <span class="cross" />
    </div>
  )
}

/** Buttons that change the visible part of the map. */
export const ZoomButtons = ({ view, place }: Pick<WorldMapProps, 'view' | 'place'>) => (
  <div class="tools">
    {Object.entries(buttons).map(([title, change]) => (
      <button
        key={title}
        type="button"
        onClick={() => {
          view.value = change(view.value, place.value)
        }}
      >
        {title}
      </button>
    ))}
    <span class="muted">{extentOf(view.value)}</span>
  </div>
)

const extentOf = (view: View): string => {
  const { bottom_left: from, top_right: to } = boxOf(view)
  const named = (value: number, positive: string, negative: string) =>
    `${degrees(Math.abs(value), view)}° ${value < 0 ? negative : positive}`
  const latitude = (value: number) => named(value, 'north', 'south')
  const longitude = (value: number) => named(value, 'east', 'west')
  return `${latitude(from.lat)} to ${latitude(to.lat)}, ${longitude(from.lon)} to ${longitude(to.lon)}`
}

/** Another view. Buttons keep a chosen place where it is; keys keep the middle, which Enter chooses. */
type Change = (view: View, chosen?: Place) => View

const zoomedAtPlace = (view: View, factor: number, place: Place | undefined): View =>
  zoomed(view, factor, place && isIn(view, place) ? place : undefined)

const buttons: Readonly<Record<string, Change>> = {
  'Zoom in': (view, place) => zoomedAtPlace(view, 0.5, place),
  'Zoom out': (view, place) => zoomedAtPlace(view, 2, place),
  World: () => wholeWorld,
}

const keys: Readonly<Record<string, Change>> = {
  ArrowLeft: (view) => moved(view, -0.2, 0),
  ArrowRight: (view) => moved(view, 0.2, 0),
  ArrowUp: (view) => moved(view, 0, 0.2),
  ArrowDown: (view) => moved(view, 0, -0.2),
  '+': (view) => zoomed(view, 0.5),
  '-': (view) => zoomed(view, 2),
  '0': () => wholeWorld,
}

const viewBoxOf = ({ lat, lon, width }: View) => `${lon - width / 2} ${-lat - width / 4} ${width} ${width / 2}`

/** Where a place is within the area; what is beyond it is hidden. */
function positionIn({ lat, lon, width }: View, place: Place) {
  const [x, y] = [(place.lon - lon) / width + 0.5, (lat - place.lat) / (width / 2) + 0.5]
  const isOutside = x < 0 || x > 1 || y < 0 || y > 1
  return { left: `${x * 100}%`, top: `${y * 100}%`, display: isOutside ? 'none' : '' }
}

/** Land and borders, once they are loaded. */
function Outline() {
  const paths = useSignal<{ readonly land: string; readonly borders: string } | undefined>(undefined)
  useEffect(() => {
    void import('./outline.ts').then(({ worldOutline }) => {
      paths.value = worldOutline()
    })
  }, [])
  return paths.value ? (
    <g>
      <path class="land" d={paths.value.land} />
      <path class="borders" d={paths.value.borders} />
    </g>
  ) : null
}

const Grid = ({ view }: { readonly view: View }) => {
  const step = gridStep(view)
  const { bottom_left, top_right } = boxOf(view)
  const from = (degree: number) => Math.ceil(degree / step)
  const lines = (least: number, most: number) =>
    Array.from(
      { length: Math.max(0, Math.floor(most / step) - from(least) + 1) },
      (_, index) => (from(least) + index) * step,
    )
  const meridians = lines(bottom_left.lon, top_right.lon).map((lon) => `M${lon} -90V90`)
  const parallels = lines(bottom_left.lat, top_right.lat).map((lat) => `M-180 ${-lat}H180`)
  return <path class="grid" d={[...meridians, ...parallels].join('')} />
}

/** A part of the map that a socket watches; one that crosses the antimeridian is drawn at both edges. */
const Region = ({ watching: { user, region } }: { readonly watching: Watching }) => {
  const { top_left, bottom_right } = region
  const size = { width: bottom_right.lon - top_left.lon, height: top_left.lat - bottom_right.lat }
  return (
    <g class="region">
      <title>{nameOf(user)} watches this</title>
      {[-360, 0, 360].map((turn) => (
        <rect key={turn} x={top_left.lon + turn} y={-top_left.lat} {...size} />
      ))}
    </g>
  )
}
