import type { SnowflakeClock } from '../../domain/ids/snowflake.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { CommandSource } from '../commands/command-context.js'

/** What is new in a command: its id, its time, and where its new ids and its randomness come from. */
export type CommandOrigin = Pick<CommandSource, 'commandId' | 'now' | 'mayRepeat' | 'isKeyed' | 'newId' | 'randomBytes'>

/** All that a repeatable origin follows from, as plain JSON. As secret as what the command draws from it. */
export interface OriginRecipe {
  readonly commandId: string
  readonly now: Timestamp
  /** 32 bytes in base64, which all randomness follows from. */
  readonly seed: string
  readonly workerId: number
  /** Where the worker stood before the ids that were set aside. */
  readonly ids: SnowflakeClock
}

/** How many ids a repeatable command may make: the largest guild template needs fewer. */
export const repeatableIds_max = 1024

/** Makes the origins of commands. Every id that it gives is given once in the whole service. */
export interface CommandOrigins {
  /** An origin of its own for each call. */
  fresh(): CommandOrigin
  /** Sets aside what a command needs that may have to run again. */
  newRecipe(): OriginRecipe
  /**
   * The same recipe always gives the same id, time, ids and bytes, in the same order. Its `newId` throws after
   * `repeatableIds_max` ids. `mayRepeat` says whether a command has run from the recipe before.
   */
  follow(recipe: OriginRecipe, mayRepeat: boolean): CommandOrigin
}
