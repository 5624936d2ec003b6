/** Enumerations and limits of the API, free of any library so that flags and completion stay cheap. */

/** Where a face is shown. Spec 4.5. */
export const viewModes = ['icon', 'engaged', 'card', 'fullscreen'] as const
/** Which viewers may show a face. Spec 4.5. */
export const platforms = ['generic', 'ios', 'android', 'web'] as const
/** Quality levels of a face. Spec 4.5. */
export const qualities = ['low', 'medium', 'high'] as const
/** Native face views the specification lists; a viewer may register more. Spec 4.5. */
export const nativeFaces = [
  'native://image',
  'native://progress-image-overlay',
  'native://image-policy',
  'native://layered-image',
  'native://generic-3d',
] as const

/** Kind and version of the vAtom to create. Spec 2.4. */
export const rootTypes = [
  'vAtom::vAtomType',
  'vAtom::vAtomType::FolderContainerType',
  'vAtom::vAtomType::PackageContainerType',
  'vAtom::vAtomType::DiscoverContainerType',
  'vAtom::vAtomType::DefinedFolderContainerType',
] as const
/** The key of the built-in properties in a `vatom` section. Spec 2.4. */
export const vatomTypeKey = 'vAtom::vAtomType'
/** The root type whose children are found by a query. Spec 2.4. */
export const discoverContainer = 'vAtom::vAtomType::DiscoverContainerType' satisfies (typeof rootTypes)[number]
/** The root type that vanishes once it is opened. Spec 2.4. */
export const packageContainer = 'vAtom::vAtomType::PackageContainerType' satisfies (typeof rootTypes)[number]
/** The root type whose children are created by a child policy. Spec 2.4. */
export const definedFolder = 'vAtom::vAtomType::DefinedFolderContainerType' satisfies (typeof rootTypes)[number]

/** Who can see a vAtom. Spec 2.4. */
export const visibilities = ['owner', 'public', 'container'] as const
/** Chains an `eth` section may name; writes on `mainnet` are charged. Spec 2.3. */
export const networks = ['mainnet', 'testnet'] as const
/** Types of an `eth` field. Spec 2.3. */
export const ethTypes = ['bool', 'uint', 'string'] as const

/** Scope keys of a search. Spec 4.4. */
export const scopeKeys = [
  'vAtom::vAtomType.owner',
  'vAtom::vAtomType.template',
  'vAtom::vAtomType.template_variation',
  'vAtom::vAtomType.acquirable',
  'vAtom::vAtomType.parent_id',
] as const
/** Fields a search may filter by. Spec 4.4. */
export const filterFields = [
  'vAtom::vAtomType.publisher_fqdn',
  'vAtom::vAtomType.template',
  'vAtom::vAtomType.template_variation',
  'vAtom::vAtomType.owner',
  'vAtom::vAtomType.author',
  'vAtom::vAtomType.parent_id',
  'vAtom::vAtomType.category',
  'vAtom::vAtomType.in_contract',
  'vAtom::vAtomType.visibility_type',
] as const
/** Fields and scope keys beyond the specification's list that clients are known to send. */
export const extraSearchFields = [
  'id',
  'vAtom::vAtomType.visibility.type',
  'vAtom::vAtomType.acquirable',
  'vAtom::vAtomType.acquireable',
  'vAtom::vAtomType.publisher_fqdn',
] as const
/** Custom properties can be searched by path: `private.colour`. */
export const privatePrefix = 'private.'

/** Comparisons of a filter element, with the sign each has on the command line. Spec 4.4. */
export const filterOps = ['Eq', 'Ge', 'Gt', 'Le', 'Lt', 'Ne', 'Match'] as const
/** How a filter element joins the next one. Spec 4.4. */
export const boolOps = ['And', 'Or'] as const

/** What a search of the map looks for. */
export const geoFilters = ['vatoms', 'avatars', 'all'] as const
/** What a feed of changes says of a face or an action. */
export const changeOperations = ['create', 'update', 'delete'] as const

/** Kinds of user token that can sign in by password. */
export const tokenTypes = ['email', 'phone_number'] as const
/** The kind of user token that a guest signs in with, without a password. */
export const guestTokenType = 'guest_id'
/** What an avatar may be; a PNG that moves is told apart from others. */
export const avatarTypes = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** What stands between a template's name and an action's in the action's full name. */
export const actionInfix = '::Action::'
/** Reactors of the platform, which carry out the standard actions; a publisher registers handlers for others. */
export const platformReactors = [
  'blockv://v1/Transfer',
  'blockv://v1/Clone',
  'blockv://v1/AcquireWithCoins',
  'blockv://v1/AcquirePubVariationWithCoins',
  'blockv://v1/Redeem',
  'blockv://v1/Drop',
  'blockv://v1/Pickup',
  'blockv://v1/Trade',
  'blockv://v1/Combine',
  'blockv://v1/Split',
  'blockv://v1/Uncombine',
  'blockv://custom/privateproperties',
] as const
/** Reactors that the platform is not known to have, and that a local service carries out. */
export const localReactors = [
  'blockv://v1/Open',
  'blockv://v1/Activate',
  'blockv://v1/Dispense',
  'blockv://v1/Discover',
] as const
/** The scheme of the platform's reactors, which no handler of a publisher may have. */
export const platformScheme = 'blockv://'
/** The scheme they had before. */
export const oldPlatformScheme = 'vatomic://'

/** Documents a publisher writes. */
export const kinds = ['template', 'variation', 'face', 'action'] as const
export type Kind = (typeof kinds)[number]
/** What has a JSON Schema of its own: what a publisher writes by hand. */
export const schemaKinds = [...kinds, 'discover', 'profile'] as const
export type SchemaKind = (typeof schemaKinds)[number]
/** The field of a document that holds its name; a face has none of its own, only its template's. */
export const nameKeys = {
  template: 'template',
  variation: 'template_variation',
  face: 'template',
  action: 'name',
} as const satisfies Record<Kind, string>

/** Replaced by the command line with the signed-in publisher's domain name before anything is sent. */
export const publisherPlaceholder = '$publisher'
/** Replaced by the service with the caller's id in scope and filter values. Spec 4.4. */
export const currentUser = '$currentuser'

/** Platform units that a local service charges for a write on mainnet, and that it grants each publisher, unless told. */
export const units = { contract: 100, field: 10, balance: 1_000_000 } as const

export const limits = {
  /** Characters of first_name, last_name and password. Spec 8. */
  text: 64,
  /** Characters of a template, variation or resource name; the specification sets none. */
  name: 256,
  /** Records per page when a search names no limit. Spec 8. */
  page: 100,
  /** Records per page at most; `0` asks for this many. */
  pageMax: 1000,
  /** Values of a scope. Spec 8. */
  scopeValues: 5,
  /** Access token lifetime in seconds. Spec 8. */
  accessTokenSeconds: 300,
  /** Refresh token lifetime in seconds (30 days). */
  refreshTokenSeconds: 2_592_000,
  /** User tokens of one user, a guest id beside them. */
  userTokens: 10,
  /** Wrong codes after which the right one is refused, too. */
  codeAttempts: 5,
  /** Seconds after which the wrong codes of a user token are counted anew, if a new one is asked for. */
  codeTriesSeconds: 300,
  /** Seconds that a code which verifies a user token is good for. */
  verificationSeconds: 86_400,
  /** Seconds that a pin which stands in for a password is good for. */
  pinSeconds: 900,
  /** Bytes of an avatar. */
  avatar: 5_242_880,
  /** vAtoms per emit. */
  emit: 10_000,
  /** vAtoms of a draft variation. */
  draftVatoms: 10,
  /** vAtoms that one request may name, to get or to move them, and templates likewise. */
  ids: 100,
  /** vAtoms on a page of an inventory. */
  inventory: 100,
  /** vAtoms, or groups of them, that a search of the map answers. */
  geo: 10_000,
  /** Faces of a template, all of which come with every page of a search that has a vAtom of it. */
  faces: 100,
  /** Actions of a template, which come with a search likewise. */
  actions: 100,
  /** Characters of a message to a user. */
  message: 4096,
  /** Characters of an action handler's address. */
  url: 2048,
  /** Milliseconds an action may take at most. */
  actionTimeout: 60_000,
  /** Actions that the policy of one names before it, and after it. */
  policyActions: 16,
  /** Actions that are waited for and call handlers, at once. */
  handledAtOnce: 256,
  /** Actions that are not waited for, at once. */
  laterAtOnce: 32,
  /** Actions that are not waited for and are still to be begun. */
  laterWaiting: 1000,
  /** Bytes of what an action handler answers. */
  handlerAnswer: 262_144,
  /** Bytes of an uploaded asset. */
  asset: 67_108_864,
  /** Assets of one upload. */
  assets: 20,
  /** Bytes of a JSON request body. */
  body: 1_048_576,
  /** Bytes of the JSON text of a document's vatom section, or of a whole face or action; a page holds up to 1000 of them. */
  section: 65_536,
  /** Bytes of the JSON text of an eth section. */
  eth: 8192,
  /** Nesting of a JSON body or document. */
  depth: 64,
  /** Problems told of one document or request. */
  issues: 100,
  /** Entries of any one list in a request. */
  list: 1000,
} as const
