import type { Guild } from '../../domain/guild/state.js'
import type { LimitConfig, LimitDefaults } from '../../domain/limits/limit-config.js'
import type { LimitValues } from '../../domain/limits/limit-keys.js'
import type { CommandContext } from '../commands/command-context.js'
import type { AccountRecord } from './queries/account-queries.js'

/** The limits that hold now: the defaults, and over them the operator's rules (reference identity 8.7). */
export interface Limits {
  /** What holds where nothing is said: the stock limits, but in tests. */
  readonly defaults: LimitDefaults
  /**
   * The limits of an account, by their names. What another process has changed counts within `limitsAge_ms_max`, and what this
   * one has changed at once; so it is with a guild's.
   */
  ofAccount(account: LimitedAccount): Promise<LimitValues>
  /** The same as this process has it at hand: nothing is waited for, so that reads go on while history can't be reached. */
  atHand(account: LimitedAccount): Promise<LimitValues>
  /** The limits of a guild. */
  ofGuild(guild: Pick<Guild, 'features'>): Promise<LimitValues>
  /** The operator's own rules, as they stand in history now. */
  config(): Promise<LimitConfig>
  /** Replaces the operator's own rules. Resolves with those that hold then. */
  change(config: LimitConfig, context: CommandContext): Promise<LimitConfig>
}

/** Bots count as premium (reference stores 2.3). */
export type LimitedAccount = Pick<AccountRecord, 'id'> & Partial<Pick<AccountRecord, 'bot'>>

/** How old what a process knows of the limits may be. */
export const limitsAge_ms_max = 1000
