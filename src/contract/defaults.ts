/** What `vatom serve` and the local context have where nothing else is given. */
export const defaults = {
  /** Address that a service listens on: this machine alone. */
  host: '127.0.0.1',
  port: 4100,
  appId: 'local',
  /** Domain name of the publisher that a service begins with. */
  publisher: 'local.vatom',
  /** Mebibytes that a service may take: a part of them for what clients have not read. */
  memory: 256,
  /** Platform units for a contract and a field written on mainnet, and those that a publisher has in all. */
  units: { contract: 100, field: 10, balance: 1_000_000 },
} as const
