import type { SnowflakeClock } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { CommandSource } from '../commands/command-context.ts'

/** The new parts of a command: its id, its time, and the source of its new ids and randomness. */
export type CommandOrigin = Pick<CommandSource, 'commandId' | 'now' | 'mayRepeat' | 'isKeyed' | 'newId' | 'randomBytes'>

/** Everything that determines a repeatable origin, as plain JSON. As secret as what the command draws from it. */
export interface OriginRecipe {
  readonly commandId: string
  readonly now: Timestamp
  /** 32 bytes in base64, the seed of all randomness. */
  readonly seed: string
  readonly workerId: number
  /** The worker's clock before the reserved ids. */
  readonly ids: SnowflakeClock
}

/** Makes the origins of commands. Every id is unique in the whole service. */
export interface CommandOrigins {
  /** A new origin for each call. */
  fresh(): CommandOrigin
  /** Reserves what a repeatable command needs. */
  newRecipe(): OriginRecipe
  /**
   * The same recipe always gives the same command id, time, ids and bytes, in the same order. `newId` throws after
   * `repeatableIds_max` ids. `mayRepeat` says whether a command has run from the recipe before.
   */
  follow(recipe: OriginRecipe, mayRepeat: boolean): CommandOrigin
}
