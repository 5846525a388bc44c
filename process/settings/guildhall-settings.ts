import type { Logger } from 'pino'
import type { ConsolePlace } from '../../adapters/http/console/console-files.ts'
import type { HashingCost } from '../../adapters/authentication/argon2-passwords.ts'
import type { StoresSetup } from '../../adapters/stores/open-stores.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import type { InstancePolicy } from '../../domain/instance/policy.ts'
import type { LimitValues } from '../../domain/limits/limit-keys.ts'
import type { Role } from '../roles/role.ts'
import type { Settings } from './settings.ts'

/** The settings of a process. */
export interface GuildhallSettings {
  readonly settings: Pick<
    Settings,
    | 'http'
    | 'publicUrl'
    | 'webappUrl'
    | 'gatewayUrl'
    | 'dataDir'
    | 'mediaUrl'
    | 'eventStoreUrl'
    | 'natsServers'
    | 'serviceName'
    | 'hosted'
    | 'trustedProxies'
    | 'adminApplicationId'
    | 'rateLimits'
    | 'smtp'
  > &
    Partial<
      Pick<
        Settings,
        | 'accessLog'
        | 'clientVersions'
        | 'console'
        | 'corsOrigins'
        | 'dnsServers'
        | 'fileScanner'
        | 'gatewayCompressed_max'
        | 'gatewayReplay_bytes'
        | 'geoIpDatabase'
        | 'instanceConfig'
        | 'linkPreviews'
        | 'metricsToken'
        | 'status'
        | 'stores'
        | 'traces'
      >
    > & {
      /** The instance's policy until it is changed. */
      readonly instancePolicy: InstancePolicy
    }
  readonly connection: PostgresConnection
  readonly personalDataKey: Uint8Array
  readonly logger: Logger
  /** The roles of this process; all by default. Fewer roles need `natsServers`, which connects it with the other processes. */
  readonly roles?: readonly Role[]
  /** Ends the start, which may have to wait for other processes. */
  readonly stopping?: AbortSignal
  /** Checks every reply against its schema: for tests and development. */
  readonly checkReplies?: boolean
  /** For tests: a cheaper password hash than the required one. */
  readonly hashingCost?: HashingCost
  /** For tests: where the console is, instead of where the product has it. */
  readonly consolePlace?: ConsolePlace
  /** For tests: replaces these stock limits. */
  readonly limits?: Partial<LimitValues>
  /** For tests: how often background work looks for what is due, instead of its own intervals. */
  readonly looks_ms?: number
  /** For tests: the clock of the stores' doubles, and a shorter time limit for their answers. */
  readonly storeTimes?: Pick<StoresSetup, 'now' | 'answer_ms'>
}
