/** Enumerations and limits of the API, free of any library so that flags and completion stay cheap. */

/** What the value of a header can have, if it is one word. */
export const headerText = /^[\x21-\x7e]+$/

/** Formats in which problems are printed. */
export const formats = ['text', 'json', 'github', 'gitlab', 'sarif', 'markdown'] as const
export type Format = (typeof formats)[number]

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
/** Where the built-in properties stand in a template or a variation. */
export const vatomType = ['vatom', vatomTypeKey] as const
/** The root type whose children are found by a query. Spec 2.4. */
export const discoverContainer = 'vAtom::vAtomType::DiscoverContainerType' satisfies (typeof rootTypes)[number]
/** The root type that vanishes once it is opened. Spec 2.4. */
export const packageContainer = 'vAtom::vAtomType::PackageContainerType' satisfies (typeof rootTypes)[number]
/** The root type whose children are created by a child policy. Spec 2.4. */
export const definedFolder = 'vAtom::vAtomType::DefinedFolderContainerType' satisfies (typeof rootTypes)[number]

/** Root types whose vAtoms can contain others. Spec 2.4. */
export const folderTypes: ReadonlySet<unknown> = new Set<(typeof rootTypes)[number]>([
  'vAtom::vAtomType::FolderContainerType',
  packageContainer,
  definedFolder,
])

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
/** What an avatar may be; an animated PNG is a type of its own. */
export const avatarTypes = ['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** What stands between a template's name and an action's in the action's full name. */
export const actionInfix = '::Action::'

/** The name of an action without that of its template. */
export const shortName = (action: string): string => action.slice(action.indexOf(actionInfix) + actionInfix.length)

/** The setting of an action's `config` by which only users with a verified token may perform it. Spec 2.1. */
export const activatedOnly = 'activated_users_only'
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
/** Every reactor that this tool knows. */
export const knownReactors: readonly string[] = [...platformReactors, ...localReactors]
/** The scheme of the platform's reactors, which no handler of a publisher may have. */
export const platformScheme = 'blockv://'
/** The scheme they had before. */
export const oldPlatformScheme = 'vatomic://'
/** The known reactor that a text names in another case, with the old scheme, or without its scheme and version. */
export function reactorMeant(text: string): string | undefined {
  const name = text.toLowerCase().replace(/^(?:(?:blockv|vatomic):)?\/*/, '')
  return knownReactors.find((one) => one.toLowerCase().endsWith(`/${name}`))
}

/** Documents a publisher writes. */
export const kinds = ['template', 'variation', 'face', 'action'] as const
/** What `kind:` says; `contract/kinds` holds what differs between them. */
export type KindName = (typeof kinds)[number]
/** What has a JSON Schema of its own: what a publisher writes by hand. */
export const schemaKinds = [...kinds, 'discover', 'profile'] as const
export type SchemaKind = (typeof schemaKinds)[number]

/** Whether a name begins with a domain name, as whole names do. */
export const isWholeName = (name: string): boolean => /^[^:.]*\.[^:]*::/.test(name)

/** Replaced by the command line with the signed-in publisher's domain name before anything is sent. */
export const publisherPlaceholder = '$publisher'
/** Replaced by the service with the caller's id in scope and filter values. Spec 4.4. */
export const currentUser = '$currentuser'

/** The name of the file that describes the catalog in its folder and below. It is no document of a publisher. */
export const projectFileName = 'vatom.yaml'

/** What the name of a snapshot is like, which is also that of a file. */
export const snapshotName = /^\w[\w.-]{0,63}$/
/** Why any other text is none. */
export const snapshotNameRule = 'A snapshot name can only have letters from A to Z, digits and . _ -'
