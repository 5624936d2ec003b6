import { defaults } from '../../contract/defaults.ts'
import type { ServiceOptions } from '../../server/service.ts'
import type { Host } from '../host.ts'

/** The option with which a service has a console; none where what browsers load is not built. */
export const consoleIn = ({ pages }: Host): Pick<ServiceOptions, 'pages'> => (pages === undefined ? {} : { pages })

/** Where `vatom serve` listens if nothing else is asked for. */
export const localAddress = `http://${defaults.host}:${defaults.port}`
