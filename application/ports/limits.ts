import type { Guild } from '../../domain/guild/state.ts'
import type { LimitConfig, LimitDefaults } from '../../domain/limits/limit-config.ts'
import type { LimitValues } from '../../domain/limits/limit-keys.ts'
import type { CommandContext } from '../commands/command-context.ts'
import type { AccountRecord } from './queries/account-queries.ts'

/** The limits in force: the defaults with the operator's rules laid over them. */
export interface Limits {
  /** The default limits: the stock limits, except in tests. */
  readonly defaults: LimitDefaults
  /**
   * The limits of an account by name. Changes by another process count within `limitsAge_ms_max`, changes by this one at once.
   * The same holds for the limits of guilds.
   */
  ofAccount(account: LimitedAccount): Promise<LimitValues>
  /** The same from this process's memory. It never waits, so reads go on while the event store can't be reached. */
  cached(account: LimitedAccount): Promise<LimitValues>
  /** Whether the instance treats everybody as premium, from this process's memory. */
  everyoneHasPremium(): Promise<boolean>
  /** The limits of a guild. */
  ofGuild(guild: Pick<Guild, 'features'>): Promise<LimitValues>
  /** The operator's own rules, read from history. */
  config(): Promise<LimitConfig>
  /** Replaces the operator's own rules. Resolves with the new rules. */
  change(config: LimitConfig, context: CommandContext): Promise<LimitConfig>
}

/** What the limits of an account depend on: whether it has premium now (`premiumNow`), and its traits. */
export type LimitedAccount = Pick<AccountRecord, 'id' | 'bot' | 'traits' | 'premiumFlags' | 'premium'>
