import type { Comparison } from './rounds.ts'

/** How long and how often each side of a line is measured. */
export interface LineSettings {
  readonly seconds: number
  readonly rounds: number
  /** The least number of events in the history, for lines that need one. */
  readonly events: number
  /** The number of accounts, for lines that depend on it. */
  readonly accounts: number
  /** The number of messages of one author, for lines that depend on it. */
  readonly messages: number
}

/** Measures one kind of work. Gives one comparison, or one for each size of the work. */
export type Line = (settings: LineSettings) => Promise<Comparison | readonly Comparison[]>
