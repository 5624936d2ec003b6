import type { Generated } from 'kysely'

/** Truth as SQLite stores it. */
export type Bit = 0 | 1
export const bit = (value: boolean): Bit => (value ? 1 : 0)

interface Settings {
  key: string
  value: string
}

interface Users {
  id: string
  /** JSON of the user-editable properties. */
  properties: string
  /** Null: none set, or the seeded publisher's configured one; empty: that was reset. */
  password: string | null
  /** Id of the asset that is the avatar. */
  avatar: string | null
  seeded: Bit
  pub_fqdn: string
  is_admin: Bit
  is_merchant: Bit
  activated: Bit
  last_login: string
  /** Logins tried since the last that succeeded. */
  attempts: number
  /** Seconds since 1970 until which logins are refused; 0: not locked. */
  locked_until: number
  when_created: string
  when_modified: string
}

interface UserTokens {
  id: string
  user_id: string
  token_type: string
  token: string
  confirmed: Bit
  is_default: Bit
  when_created: string
  when_modified: string
}

/** What was sent to whoever holds a user token, and proves that. */
interface Codes {
  token_id: string
  /** `verification` or `pin`. */
  kind: string
  code: string
  /** Seconds since 1970. */
  expires_at: number
  /** Wrong ones that were tried in its place, or in that of the one before it, since a time. */
  attempts: number
  /** Seconds since 1970. */
  counted_since: number
}

/** Messages that a platform would send by e-mail or phone; a local service keeps them for its developer. */
interface Outbox {
  seq: Generated<number>
  /** Address or number. */
  recipient: string
  token_type: string
  kind: string
  code: string
  when_sent: string
}

interface Sessions {
  id: string
  user_id: string
  /** SHA-256 of the refresh token, hexadecimal. */
  refresh_hash: string
  /** Seconds since 1970. */
  expires_at: number
}

interface Meta {
  created_by: string
  when_created: string
  modified_by: string
  when_modified: string
}

interface Templates extends Meta {
  name: string
  publisher_fqdn: string
  unpublished: Bit
  public: Bit
  cloneable: Bit
  /** JSON of the vatom section, defaults filled in. */
  vatom: string
  /** JSON of the eth section, typed. */
  eth: string | null
  /** JSON of the eos section. */
  eos: string | null
}

interface Variations extends Meta {
  name: string
  template: string
  publisher_fqdn: string
  unpublished: Bit
  public: Bit
  auto_create_on_acquire: Bit
  /** JSON of what the variation itself says: `{vatom, eth}`. */
  overrides: string
  /** JSON of the vAtom it makes: the template's sections with the overrides laid over them. */
  resolved: string
  /** What a clone adds to cloning_score. */
  cloning_gain: number
  /** Clones in all at most; null: any number. */
  max_clones: number | null
  num_clones: number
}

interface Faces {
  /** Order of registration. */
  seq: Generated<number>
  id: string
  template: string
  /** The record as it is answered. */
  json: string
}

interface Actions {
  /** Order of registration. */
  seq: Generated<number>
  name: string
  template: string
  /** The record as it is answered. */
  json: string
}

interface ActionHandlers {
  publisher_fqdn: string
  reactor: string
  url: string
  created_by: string
  when_created: string
}

/** How often users ran actions that they may run so often. */
interface ActionRuns {
  action: string
  user_id: string
  count: number
}

interface Assets {
  /** Order of upload. */
  seq: Generated<number>
  id: string
  publisher_fqdn: string
  name: string
  content_type: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  created_by: string
  when_created: string
}

/** What was written to chains; the database refuses to change or delete a row. */
interface Ledger {
  seq: Generated<number>
  publisher_fqdn: string
  /** Name of the template or variation whose eth section it is. */
  subject: string
  network: string
  symbol: string
  /** `contract` or `field`. */
  entry: string
  field: string | null
  type: string | null
  /** JSON of the new value. */
  value: string | null
  /** Platform units charged. */
  units: number
  when_written: string
}

interface Vatoms {
  /** Order of insertion. */
  seq: Generated<number>
  id: string
  owner: string
  author: string
  publisher_fqdn: string
  template: string
  template_variation: string
  parent_id: string
  category: string
  visibility_type: string
  in_contract: Bit
  acquirable: Bit
  /** Effective visibility: whether everybody may find it. Kept true on every write. */
  public: Bit
  /** Seconds since 1970. */
  created: number
  /** The record as it is answered. */
  json: string
}

/** What those who are connected are told; rows, so that another process on the same database tells it, too. */
interface Events {
  seq: Generated<number>
  /**
   * `inventory`, `state_update`, `my_events` or `map`; `arrivals` of many vAtoms at once, each of which is told as
   * `inventory`; `replaced` where all there was gave way to something else.
   */
  msg_type: string
  /** Whom it is for; of a map event, who is not told: whose the vAtom was on the map. Empty: everybody. */
  user_id: string
  /** Where on the map, in degrees; null for what is for one user. */
  lat: number | null
  lon: number | null
  /** JSON. */
  payload: string
  /** Milliseconds since 1970. */
  created: number
}

/** What happened to a user's vAtoms, and what others wrote to them. */
interface Messages {
  /** Grows with every message: its id, and the order of all of them. */
  seq: Generated<number>
  /** Whose activity it is. */
  user_id: string
  thread: string
  /** The message without its id, as it is answered. */
  json: string
  /** Milliseconds since 1970. */
  created: number
}

/** The threads of users, each with its latest message. */
interface Threads {
  user_id: string
  thread: string
  /** `seq` of a message. */
  latest: number
}

/** When a face or an action was added and last changed, in milliseconds since 1970. */
interface RecordChanges {
  /** `face` or `action`. */
  kind: string
  /** Its id or name. */
  key: string
  template: string
  created: number
  changed: number
  /** The record as it last was, once it is deleted. */
  deleted: string | null
}

export interface Tables {
  settings: Settings
  users: Users
  user_tokens: UserTokens
  sessions: Sessions
  templates: Templates
  variations: Variations
  faces: Faces
  actions: Actions
  action_handlers: ActionHandlers
  action_runs: ActionRuns
  assets: Assets
  ledger: Ledger
  vatoms: Vatoms
  events: Events
  messages: Messages
  threads: Threads
  record_changes: RecordChanges
  codes: Codes
  outbox: Outbox
}
