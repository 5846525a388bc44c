import type { Logger } from 'pino'
import type { HashingCost } from '../adapters/authentication/argon2-passwords.js'
import type { PostgresConnection } from '../adapters/postgres/database.js'
import type { InstancePolicy } from '../domain/instance/policy.js'
import type { LimitValues } from '../domain/limits/limit-keys.js'
import type { Role } from './roles/role.js'
import type { Settings } from './settings.js'

/** What a process is opened with. */
export interface GuildhallSettings {
  readonly settings: Pick<
    Settings,
    | 'http'
    | 'publicUrl'
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
    Partial<Pick<Settings, 'metricsToken' | 'status'>> & {
      /** What holds on the instance where nothing was changed since. */
      readonly instancePolicy: InstancePolicy
    }
  readonly connection: PostgresConnection
  readonly personalDataKey: Uint8Array
  readonly logger: Logger
  /** What this process is there for; all of it by default. Some of it only where `natsServers` joins it with the others. */
  readonly roles?: readonly Role[]
  /** Ends the start, which may have to wait for other processes. */
  readonly stopping?: AbortSignal
  /** Holds every reply against its schema: for tests and development. */
  readonly checkReplies?: boolean
  /** For tests: what a password's hash costs, instead of what it must. */
  readonly hashingCost?: HashingCost
  /** For tests: instead of those stock limits. */
  readonly limits?: Partial<LimitValues>
}
