/** What a search may cost. */
export const searchLimits = {
  /** Comparisons of one search, those of the containers in it counted. */
  comparisons: 200,
  /** Values of `Match` in one search, those of the containers in it counted. */
  matches: 40,
  /** Values with a `*` in one search, those of the containers in it counted. */
  patterns: 20,
  /** Pieces between the `*` of one value. */
  patternPieces: 16,
  /** Steps of the path of a custom property, such as `private.a.b`, which has two. */
  pathSteps: 16,
  /** Characters of the path of a custom property: it is read anew for each vAtom that is looked at. */
  pathCharacters: 500,
  /** Milliseconds of processor time for which searches keep other requests waiting, at a time. */
  searchTurn: 10,
  /** Milliseconds of processor time that a search may take in all. */
  searchTime: 5000,
  /** Milliseconds of processor time for a search in an action or a dry run, in which others cannot have a turn. */
  searchAtOnce: 40,
  /** Milliseconds that such searches of one user may take in a second; each further one may take 2 then. */
  searchesAtOnceOfUser: 80,
  /** Milliseconds of a second that such searches of all but publishers of the service may take together, in shares of their addresses; then each has two. */
  searchesAtOnceOfAll: 160,
  /** Searches of a user that are carried out at a time: others wait, and take no memory. */
  searchesBegun: 2,
  /** Groups that a search remembers, above which it needs one of few places. */
  searchRemembers: 2000,
  /** Searches that remember more groups than that, at a time: of those of the map, of others that take long, and of the rest, this many each. */
  searchesLarge: 1,
  /** Milliseconds of processor time after which one that is not of the map takes long: if others wait, it leaves its place to them, and goes on or begins again in a place for long ones. */
  searchLarge: 1000,
  /** Searches of a user that wait to be begun. */
  searchesOfUser: 200,
  /** Searches that wait to be begun in all, above which each user has one. */
  searchesWaiting: 400,
} as const
