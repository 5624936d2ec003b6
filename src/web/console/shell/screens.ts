import type { ComponentType } from 'preact'

/** A screen of the console. */
export interface Screen {
  /** The first word of its address. */
  readonly name: string
  readonly title: string
  /** The key that goes to it, after `g`. */
  readonly key: string
  readonly load: () => Promise<ComponentType>
}

/** The screens in the order of the navigation; each is loaded when it is first shown. */
export const screens: readonly Screen[] = [
  {
    name: 'requests',
    title: 'Requests',
    key: 'r',
    load: async () => (await import('../requests/requests-screen.tsx')).RequestsScreen,
  },
  {
    name: 'users',
    title: 'Users',
    key: 'u',
    load: async () => (await import('../users/users-screen.tsx')).UsersScreen,
  },
  {
    name: 'catalog',
    title: 'Catalog',
    key: 'c',
    load: async () => (await import('../catalog/catalog-screen.tsx')).CatalogScreen,
  },
  {
    name: 'discover',
    title: 'Discover',
    key: 'd',
    load: async () => (await import('../discover/discover-screen.tsx')).DiscoverScreen,
  },
  {
    name: 'map',
    title: 'Map',
    key: 'm',
    load: async () => (await import('../map/map-screen.tsx')).MapScreen,
  },
  {
    name: 'events',
    title: 'Events',
    key: 'e',
    load: async () => (await import('../events/events-screen.tsx')).EventsScreen,
  },
  {
    name: 'outbox',
    title: 'Outbox',
    key: 'o',
    load: async () => (await import('../outbox/outbox-screen.tsx')).OutboxScreen,
  },
  {
    name: 'ledger',
    title: 'Ledger',
    key: 'l',
    load: async () => (await import('../ledger/ledger-screen.tsx')).LedgerScreen,
  },
  {
    name: 'controls',
    title: 'Controls',
    key: 't',
    load: async () => (await import('../controls/controls-screen.tsx')).ControlsScreen,
  },
  {
    name: 'api',
    title: 'API',
    key: 'a',
    load: async () => (await import('../reference/api-screen.tsx')).ApiScreen,
  },
]
